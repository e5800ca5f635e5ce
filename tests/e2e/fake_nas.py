"""One fake host per NAS platform: its marks, its /proc and /sys, its tools, each in its own dialect.

A new host is healthy and has no cache. Its other states are methods: `busy`, `degraded`, `cached`,
`unmounted`, `without_tool`; `user` makes every command there one of a user who is not root.
"""

from nas_appliances import Dsm, Qts, TrueNas, Unraid
from nas_linuxes import Omv, OpenWrt, PlainLinux

PLATFORMS = {"dsm": Dsm, "qts": Qts, "unraid": Unraid, "truenas": TrueNas, "omv": Omv,
             "linux": PlainLinux, "openwrt": OpenWrt}

/**
 * platform.h - what kind of machine it is. Only a hint for which rules apply: whether a source is
 * there decides which parser runs.
 */
#ifndef NG_FACTS_PLATFORM_H
#define NG_FACTS_PLATFORM_H

#define NG_PLATFORMS(X)                                                                            \
    X(NG_PLATFORM_UNKNOWN, "unknown")                                                              \
    X(NG_PLATFORM_LINUX, "Linux")                                                                  \
    X(NG_PLATFORM_DSM, "Synology DSM")                                                             \
    X(NG_PLATFORM_QTS, "QNAP QTS")                                                                 \
    X(NG_PLATFORM_UNRAID, "Unraid")                                                                \
    X(NG_PLATFORM_TRUENAS, "TrueNAS SCALE")                                                        \
    X(NG_PLATFORM_TRUENAS_CORE, "TrueNAS CORE")                                                    \
    X(NG_PLATFORM_FREEBSD, "FreeBSD")                                                              \
    X(NG_PLATFORM_OMV, "OpenMediaVault")                                                           \
    X(NG_PLATFORM_OPENWRT, "OpenWrt")

enum ng_platform {
#define X(name, word) name,
    NG_PLATFORMS(X)
#undef X
};
const char *ng_platform_word(enum ng_platform platform);

#endif

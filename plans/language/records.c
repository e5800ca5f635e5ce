/* records.c - the field tables of the language itself. */
#include "plans/language/records.h"

#include <string.h>

#define DAY 86400e9

static const struct ng_field plan_fields[] = {
    {"nasgate", NG_FIELD_INT, offsetof(struct ng_plan_fields, version), NG_REQUIRED, 1, 1, NULL,
        NULL, NULL, "format version of the plan"},
    {"name", NG_FIELD_NAME, offsetof(struct ng_plan_fields, name), NG_REQUIRED, 0, 0, NULL, NULL,
        NULL, "short name of the plan, for folders and reports"},
    {"title", NG_FIELD_TEXT, offsetof(struct ng_plan_fields, title), 0, 0, 0, NULL, NULL, NULL,
        "one line for people; the name where there is none"},
    {"repeat", NG_FIELD_INT, offsetof(struct ng_plan_fields, repeat), 0, 1, NG_REPEAT_MAX, NULL,
        "1", NULL, "how often each phase is measured"},
};

const struct ng_record ng_plan_record = {"plan", plan_fields, NG_COUNT(plan_fields),
    sizeof(struct ng_plan_fields), NULL, "A plan: what is measured on what, and what must hold"};

static const struct ng_field param_fields[] = {
    {"default", NG_FIELD_TEXT, offsetof(struct ng_param_fields, fallback), 0, 0, 0, NULL, NULL,
        NULL, "the value without -p; a parameter without one must be given with -p NAME=VALUE"},
    {"help", NG_FIELD_TEXT, offsetof(struct ng_param_fields, help), 0, 0, 0, NULL, NULL, NULL,
        "one line for people"},
};

const struct ng_record ng_param_record = {"parameter", param_fields, NG_COUNT(param_fields),
    sizeof(struct ng_param_fields), "default",
    "A value that -p NAME=VALUE can change; used as ${NAME} in any value, $${ is a plain ${"};

static const char *const vias[] = {"local", "ssh", "prefix", NULL};

static const struct ng_field via_fields[] = {
    {"how", NG_FIELD_CHOICE, offsetof(struct ng_via_fields, how), 0, 0, 0, vias, "prefix", NULL,
        "on this machine, by the OpenSSH client, or behind a prefix"},
    {"prefix", NG_FIELD_TEXTS, offsetof(struct ng_via_fields, prefix), 0, 0, 0, NULL, NULL, NULL,
        "words before each command, as in [ip, netns, exec, nas] or [docker, exec, -i, nas]"},
};

const struct ng_record ng_via_record = {"via", via_fields, NG_COUNT(via_fields),
    sizeof(struct ng_via_fields), "how", "How commands reach a host"};

static const char *const privileges[] = {"none", "sudo", NULL};

static const struct ng_field host_fields[] = {
    {"via", NG_FIELD_RECORD, offsetof(struct ng_host_fields, via), NG_REQUIRED, 0, 0, NULL, NULL,
        &ng_via_record, "how commands reach the host"},
    {"target", NG_FIELD_TEXT, offsetof(struct ng_host_fields, target), 0, 0, 0, NULL, NULL, NULL,
        "where ssh goes: root@nas, a Host of ssh_config, or ssh://root@nas:2222"},
    {"options", NG_FIELD_PAIRS, offsetof(struct ng_host_fields, options), 0, 0, 0, NULL, NULL, NULL,
        "more options for ssh -o, before those of ssh_config: {Port: 2222}"},
    {"privilege", NG_FIELD_CHOICE, offsetof(struct ng_host_fields, privilege), 0, 0, 0, privileges,
        "none", NULL,
        "whether facts are collected, and page caches dropped, with sudo -n; nothing else is"},
    {"facts_within", NG_FIELD_DURATION, offsetof(struct ng_host_fields, facts_within_ns), 0, 1e9,
        600e9, NULL, "20 s", NULL,
        "how long the facts of the host may take to collect; longer for one that is slow or "
        "loaded"},
    {"tools", NG_FIELD_ARGVS, offsetof(struct ng_host_fields, tools), 0, 0, 0, NULL, NULL, NULL,
        "commands in the place of tools: {iperf3: [docker, run, --rm, --network, host, IMAGE]}"},
};

const struct ng_record ng_host_record = {"host", host_fields, NG_COUNT(host_fields),
    sizeof(struct ng_host_fields), "via", "A machine that commands run on"};

static const struct ng_field link_end_fields[] = {
    {"at", NG_FIELD_INTERFACE, offsetof(struct ng_link_end, at), NG_REQUIRED, 0, 0, NULL, NULL,
        NULL, "the interface, as host:interface"},
    {"address", NG_FIELD_TEXT, offsetof(struct ng_link_end, address), 0, 0, 0, NULL, NULL, NULL,
        "IPv4 or IPv6 address to reach this end; found on the host where there is none"},
};

const struct ng_record ng_link_end_record = {"link end", link_end_fields, NG_COUNT(link_end_fields),
    sizeof(struct ng_link_end), "at", "One end of a link"};

static const struct ng_field link_fields[] = {
    {"ends", NG_FIELD_RECORDS, offsetof(struct ng_link_fields, ends), NG_REQUIRED, 2, 2, NULL, NULL,
        &ng_link_end_record, "the two interfaces that it joins"},
    {"mtu", NG_FIELD_INT, offsetof(struct ng_link_fields, mtu), 0, 68, 65536, NULL, NULL, NULL,
        "expected MTU of both ends, in bytes"},
    {"speed", NG_FIELD_RATE, offsetof(struct ng_link_fields, speed), 0, 1, 1e13, NULL, NULL, NULL,
        "expected speed of the wire"},
};

const struct ng_record ng_link_record = {"link", link_fields, NG_COUNT(link_fields),
    sizeof(struct ng_link_fields), NULL, "A network path between two interfaces"};

static const struct ng_field mount_fields[] = {
    {"type", NG_FIELD_NAME, offsetof(struct ng_mount_spec, type), 0, 0, 0, NULL, NULL, NULL,
        "file system type: nfs (also nfs4), cifs, ext4, btrfs, ..."},
    {"from", NG_FIELD_HOST, offsetof(struct ng_mount_spec, from), 0, 0, 0, NULL, NULL, NULL,
        "the host that serves it"},
    {"export", NG_FIELD_TEXT, offsetof(struct ng_mount_spec, export), 0, 0, 0, NULL, NULL, NULL,
        "exported path or share on that host"},
    {"options", NG_FIELD_PAIRS, offsetof(struct ng_mount_spec, options), 0, 0, 0, NULL, NULL, NULL,
        "options that must be in force; sizes may carry a unit: {rsize: 128 KiB}; a flag is true "
        "or "
        "false: {rw: true, soft: false}"},
};

const struct ng_record ng_mount_record = {"mount", mount_fields, NG_COUNT(mount_fields),
    sizeof(struct ng_mount_spec), "type",
    "What must be mounted at the path (network file systems) or hold it (local ones)"};

static const struct ng_field array_fields[] = {
    {"device", NG_FIELD_NAME, offsetof(struct ng_array_spec, device), 0, 0, 0, NULL, NULL, NULL,
        "the md device, as in md2"},
    {"level", NG_FIELD_NAME, offsetof(struct ng_array_spec, level), 0, 0, 0, NULL, NULL, NULL,
        "RAID level, as in raid6"},
    {"disks", NG_FIELD_INT, offsetof(struct ng_array_spec, disks), 0, 1, 10000, NULL, NULL, NULL,
        "member disks"},
    {"bays", NG_FIELD_INT, offsetof(struct ng_array_spec, bays), 0, 1, 10000, NULL, NULL, NULL,
        "disk bays of the unit"},
};

const struct ng_record ng_array_record = {"array", array_fields, NG_COUNT(array_fields),
    sizeof(struct ng_array_spec), NULL, "The disk array that backs a volume"};

static const struct ng_field volume_fields[] = {
    {"on", NG_FIELD_HOST, offsetof(struct ng_volume, on), NG_REQUIRED, 0, 0, NULL, NULL, NULL,
        "the host that issues I/O; write \"on\" in quotes where tools read the plan as YAML 1.1, "
        "which "
        "takes the bare word for true"},
    {"path", NG_FIELD_PATH, offsetof(struct ng_volume, path), NG_REQUIRED, 0, 0, NULL, NULL, NULL,
        "folder on that host; a run works in a folder of its own below it"},
    {"mount", NG_FIELD_RECORD, offsetof(struct ng_volume, mount), 0, 0, 0, NULL, NULL,
        &ng_mount_record, "what must be mounted at the path, or hold it"},
    {"link", NG_FIELD_LINK, offsetof(struct ng_volume, link), 0, 0, 0, NULL, NULL, NULL,
        "the link that its I/O crosses"},
    {"array", NG_FIELD_RECORD, offsetof(struct ng_volume, array), 0, 0, 0, NULL, NULL,
        &ng_array_record, "the disk array behind it"},
};

const struct ng_record ng_volume_record = {"volume", volume_fields, NG_COUNT(volume_fields),
    sizeof(struct ng_volume), NULL, "A path on a host where I/O is issued"};

static const struct ng_field lease_fields[] = {
    {"hosts", NG_FIELD_TEXTS, offsetof(struct ng_lease_fields, hosts), NG_REQUIRED, 0, 0, NULL,
        NULL, NULL, "hosts that no other run with a lease may work on meanwhile"},
    {"wait", NG_FIELD_DURATION, offsetof(struct ng_lease_fields, wait_ns), 0, 1e9, 7 * DAY, NULL,
        NULL, NULL,
        "how long to wait for each host that another run has; the run ends at once, with exit code "
        "4, where it says nothing"},
};

const struct ng_record ng_lease_record = {"lease", lease_fields, NG_COUNT(lease_fields),
    sizeof(struct ng_lease_fields), "hosts",
    "One run at a time: units that are leased before anything looks at them, and given back at the "
    "end"};

static const char *const on_fails[] = {"continue", "stop", NULL};

static const struct ng_field watch_fields[] = {
    {"hosts", NG_FIELD_TEXTS, offsetof(struct ng_watch_fields, hosts), 0, 0, 0, NULL, NULL, NULL,
        "hosts whose load is recorded while phases run; hosts that thresholds name are as well"},
    {"every", NG_FIELD_DURATION, offsetof(struct ng_watch_fields, every_ns), 0, 1e8, 3600e9, NULL,
        "1 s", NULL, "time between two samples, of guards as well"},
};

const struct ng_record ng_watch_record = {"watch", watch_fields, NG_COUNT(watch_fields),
    sizeof(struct ng_watch_fields), "hosts", "What is sampled on the hosts while phases run"};

static const struct ng_field retry_fields[] = {
    {"times", NG_FIELD_INT, offsetof(struct ng_retry_fields, times), NG_REQUIRED, 0, 100, NULL,
        NULL, NULL, "how often a repeat is measured again whose guards broke"},
    {"within", NG_FIELD_DURATION, offsetof(struct ng_retry_fields, within_ns), 0, 1e9, 7 * DAY,
        NULL, "30 m", NULL, "longest time to wait, each time, until the guards hold again"},
};

const struct ng_record ng_retry_record = {"retry", retry_fields, NG_COUNT(retry_fields),
    sizeof(struct ng_retry_fields), "times",
    "What happens when a guard broke while a phase was measured"};

static const struct ng_field phase_fields[] = {
    {"name", NG_FIELD_NAME, offsetof(struct ng_phase_fields, name), NG_REQUIRED, 0, 0, NULL, NULL,
        NULL, "unique name of the phase"},
    {"title", NG_FIELD_TEXT, offsetof(struct ng_phase_fields, title), 0, 0, 0, NULL, NULL, NULL,
        "one line for people; the name where there is none"},
    {"needs", NG_FIELD_TEXTS, offsetof(struct ng_phase_fields, needs), 0, 0, 0, NULL, NULL, NULL,
        "earlier phases that must pass first; else this one is skipped"},
    {"on_fail", NG_FIELD_CHOICE, offsetof(struct ng_phase_fields, on_fail), 0, 0, 0, on_fails,
        "continue", NULL, "whether the run goes on when this phase does not pass"},
    {"pass", NG_FIELD_TEXTS, offsetof(struct ng_phase_fields, pass), 0, 0, 0, NULL, NULL, NULL,
        "thresholds that must hold"},
    {"predict", NG_FIELD_TEXTS, offsetof(struct ng_phase_fields, predict), 0, 0, 0, NULL, NULL,
        NULL, "thresholds that are reported as held or missed and gate nothing"},
    {"repeat", NG_FIELD_INT, offsetof(struct ng_phase_fields, repeat), 0, 1, NG_REPEAT_MAX, NULL,
        NULL, NULL, "how often it is measured; the plan's repeat where it says nothing"},
    {"timeout", NG_FIELD_DURATION, offsetof(struct ng_phase_fields, timeout_ns), 0, 1e9, 7 * DAY,
        NULL, NULL, NULL,
        "longest time of one repeat; derived from the engine where there is none"},
    {"confidence", NG_FIELD_PERCENT, offsetof(struct ng_phase_fields, confidence), 0, 0.5, 0.999,
        NULL, NULL, NULL,
        "judge by the confidence interval over the repeats: pass or fail only when all of it is on "
        "one side"},
    {"retry", NG_FIELD_RECORD, offsetof(struct ng_phase_fields, retry), 0, 0, 0, NULL, NULL,
        &ng_retry_record, "measure again, once the guards hold, what was disturbed"},
};

const struct ng_record ng_phase_record = {"phase", phase_fields, NG_COUNT(phase_fields),
    sizeof(struct ng_phase_fields), NULL, "One measurement by one engine"};

static const char *const unknowns[] = {"stop", "allow", NULL};

static const char *const whens[] = {"default", "before", "during", "throughout", NULL};
static const char *const on_brokens[] = {"continue", "stop", NULL};

static const struct ng_field precondition_fields[] = {
    {"unknown", NG_FIELD_CHOICE, offsetof(struct ng_precondition_fields, unknown), 0, 0, 0,
        unknowns, "stop", NULL,
        "whether the run goes on when it cannot be known whether this holds"},
    {"when", NG_FIELD_CHOICE, offsetof(struct ng_precondition_fields, when), 0, 0, 0, whens,
        "default", NULL,
        "before the run, during and after each phase (a guard), or both; by default both for "
        "what can go bad in the middle (no_rebuild, array_healthy, cache_state, mounted, "
        "mtu_match, link_speed), before for all others"},
    {"on_broken", NG_FIELD_CHOICE, offsetof(struct ng_precondition_fields, on_broken), 0, 0, 0,
        on_brokens, "continue", NULL,
        "whether the run goes on after a phase in which this broke; that phase is inconclusive in "
        "any case"},
};

const struct ng_record ng_precondition_record = {"precondition", precondition_fields,
    NG_COUNT(precondition_fields), sizeof(struct ng_precondition_fields), NULL,
    "What every precondition has beside its own keys"};

const struct ng_section ng_plan_sections[] = {
    {"params", "values that the command line can change", false},
    {"topology", "the hosts, links and volumes", true},
    {"lease", "hosts that only one run at a time may work on", false},
    {"preconditions", "what must hold before anything is measured", false},
    {"watch", "what is sampled on the hosts while phases run", false},
    {"hooks", "scripts that run before and after the run, and before and after each phase", false},
    {"phases", "what is measured, in this order", true},
};
const size_t ng_plan_section_count = NG_COUNT(ng_plan_sections);

const struct ng_section ng_topology_sections[] = {
    {"hosts", "machines by name", true},
    {"links", "network paths by name", false},
    {"volumes", "paths for I/O by name", false},
};
const size_t ng_topology_section_count = NG_COUNT(ng_topology_sections);

const char *const ng_later_in_plan[] = {"variants", "include", NULL};
const char *const ng_later_in_phase[] = {"use", "with", "iperf2", "curl", "smbclient", NULL};
const char *const ng_later_conditions[] = {NULL};

bool ng_is_later_word(const char *key) {
    const char *const *const lists[] = {ng_later_in_plan, ng_later_in_phase, ng_later_conditions};
    for (size_t i = 0; i < NG_COUNT(lists); i++) {
        for (const char *const *word = lists[i]; *word; word++) {
            if (strcmp(*word, key) == 0) {
                return true;
            }
        }
    }
    return false;
}

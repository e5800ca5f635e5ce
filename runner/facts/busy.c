/* How busy a host is. */
#include "runner/facts/busy.h"

#include <string.h>

#include "runner/base/units.h"
#include "runner/facts/facts.h"
#include "runner/facts/host.h"

const char *ng_pressure_word(enum ng_pressure_kind kind) {
    static const char *const words[] = {
#define X(name, word) word,
        NG_PRESSURES(X)
#undef X
    };
    return (size_t)kind < NG_COUNT(words) ? words[kind] : "unknown";
}

static void read_average(struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_busy *busy = &facts->load;
    const struct ng_source *file = ng_frames_find(&facts->frames, "loadavg");
    const struct ng_source *text = ng_frames_find(&facts->frames, "uptime.text");
    if (ng_loadavg_parse(&busy->average, file->text, file->len) ||
        ng_uptime_parse(&busy->average, text->text, text->len)) {
        return;
    }
    busy->average_why = ng_source_read(file)
                            ? "/proc/loadavg is not understood"
                            : ng_source_why(&facts->frames, file, "/proc/loadavg", arena);
}

static void read_pressures(struct ng_facts *facts, struct ng_arena *arena) {
    for (int i = 0; i < NG_PRESSURE_COUNT; i++) {
        const char *word = ng_pressure_word((enum ng_pressure_kind)i);
        const struct ng_source *source =
            ng_frames_find(&facts->frames, ng_arena_printf(arena, "pressure.%s", word));
        if (ng_pressure_parse(&facts->load.pressure[i], source->text, source->len)) {
            continue;
        }
        const char *what = ng_arena_printf(arena, "/proc/pressure/%s", word);
        facts->load.pressure_why[i] =
            ng_source_read(source)
                ? ng_arena_printf(arena, "%s says nothing: the kernel does not keep it", what)
                : ng_source_why(&facts->frames, source, what, arena);
    }
}

static void read_tasks(struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_tasks *tasks = &facts->load.tasks;
    const struct ng_source *source = ng_frames_find(&facts->frames, "tasks");
    const struct ng_source *words = ng_frames_find(&facts->frames, "tasks.words");
    if (!ng_source_read(source)) {
        tasks->why = ng_source_why(&facts->frames, source, "the list of processes", arena);
        return;
    }
    ng_tasks_parse(tasks, arena, source->text, source->len);
    if (ng_source_read(words)) {
        ng_tasks_words(tasks, arena, words->text, words->len);
    } else if (words->state != NG_SOURCE_MISSING) {
        tasks->words_cut = true;
    }
    if (tasks->count == 0) {
        tasks->why = "no process is to be seen in /proc";
    }
}

void ng_busy_read(struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_busy *busy = &facts->load;
    const struct ng_source *uptime = ng_frames_find(&facts->frames, "uptime");
    const struct ng_source *disks = ng_frames_find(&facts->frames, "diskstats");
    const struct ng_source *cpus = ng_frames_find(&facts->frames, "cpufreq");
    const struct ng_source *rooms = ng_frames_find(&facts->frames, "btrfs.rooms");
    read_average(facts, arena);
    read_pressures(facts, arena);
    read_tasks(facts, arena);
    if (uptime->len == 0 || ng_number_scan(uptime->text, uptime->len, &busy->uptime) == 0) {
        busy->uptime = -1;
    }
    if (ng_source_read(disks)) {
        ng_diskstats_parse(&busy->disks, arena, disks->text, disks->len);
    } else {
        busy->disks_why = ng_source_why(&facts->frames, disks, "/proc/diskstats", arena);
    }
    if (ng_source_read(cpus)) {
        ng_cpufreq_parse(&busy->cpufreq, arena, cpus->text, cpus->len);
    } else {
        busy->cpufreq.why =
            ng_source_why(&facts->frames, cpus, "/sys/devices/system/cpu/cpufreq", arena);
    }
    if (ng_source_read(rooms)) {
        ng_btrfs_rooms_parse(&facts->btrfs_rooms, arena, rooms->text, rooms->len);
    }
    busy->drop_caches = !ng_source_read(ng_frames_find(&facts->frames, "markers"))
                            ? NG_ANSWER_UNKNOWN
                        : ng_host_marked(facts, "drop_caches") ? NG_ANSWER_YES
                                                               : NG_ANSWER_NO;
}

void ng_busy_none(struct ng_busy *busy, const char *reason) {
    busy->average_why = reason;
    for (int i = 0; i < NG_PRESSURE_COUNT; i++) {
        busy->pressure_why[i] = reason;
    }
    busy->disks_why = reason;
    busy->tasks.why = reason;
    busy->cpufreq.why = reason;
}

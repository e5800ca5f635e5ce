/* The real collector in dash, bash and BusyBox: complete, quick, tidy, and not held up by a dead
 * mount. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/buf.h"
#include "runner/base/clock.h"
#include "runner/base/files.h"
#include "runner/facts/collect.h"
#include "runner/facts/facts.h"
#include "tests/unit/groups.h"

#define TOKEN "ngTest7f3a"

static const struct {
    const char *name, *run;
} shells[] = {{"dash", "dash"}, {"bash", "bash"}, {"busybox", "busybox sh"}};

struct place {
    struct ng_arena arena;
    char *folder;
};

static int set_up(void **state) {
    struct place *place = calloc(1, sizeof *place);
    ng_arena_init(&place->arena);
    *state = place;
    return ng_dir_create_temp("ngcollector", &place->folder, NULL) ? 0 : -1;
}

static int tear_down(void **state) {
    struct place *place = *state;
    ng_arena_release(&place->arena);
    bool removed = ng_dir_remove(place->folder, NULL);
    free(place->folder);
    free(place);
    return removed ? 0 : -1;
}

static bool have(const char *shell, struct ng_arena *arena) {
    const char *command = ng_arena_printf(arena, "command -v %s >/dev/null 2>&1", shell);
    if (system(command) == 0) { /* NOLINT(cert-env33-c): a fixed name */
        return true;
    }
    print_message("no %s here: not tried\n", shell);
    return false;
}

/* Runs the collector with words that need no quoting; the whole output. */
static struct ng_facts *collect(struct place *place, const char *shell, const char *words) {
    struct ng_buf out;
    char part[4096];
    size_t got;
    ng_buf_init(&out, 16 << 20);
    const char *script = ng_arena_printf(&place->arena, "%s.sh", place->folder);
    assert_true(ng_file_write_quick(script, ng_collector_sh, ng_collector_sh_len, NULL));
    const char *command =
        ng_arena_printf(&place->arena, "cd %s && TMPDIR=%s exec %s -s -- " TOKEN " %s <%s",
            place->folder, place->folder, shell, words, script);
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
    assert_non_null(pipe);
    while ((got = fread(part, 1, sizeof part, pipe)) > 0) {
        ng_buf_add(&out, part, got);
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(unlink(script), 0);
    struct ng_facts *facts =
        ng_facts_parse(&place->arena, "here", TOKEN, ng_buf_text(&out), out.len);
    ng_buf_release(&out);
    return facts;
}

static void check_common(const struct ng_facts *facts) {
    assert_true(facts->frames.complete);
    assert_int_equal(facts->platform, NG_PLATFORM_LINUX);
    assert_int_equal(facts->root, geteuid() == 0 ? NG_ANSWER_YES : NG_ANSWER_NO);
    assert_true(facts->ram > 0);
    assert_int_equal(facts->cores, sysconf(_SC_NPROCESSORS_ONLN));
    assert_null(facts->mounts_why);
    assert_true(facts->mounts.count > 0);
    const struct ng_netif *lo = ng_netifs_find(&facts->netifs, "lo");
    assert_non_null(lo);
    assert_true(lo->mtu > 0 && lo->speed == 0);
}

static void everywhere(void **state) {
    struct place *place = *state;
    const char *words = ng_arena_printf(&place->arena,
        "-p %s -t sh -p /proc/version -t no-such-tool -p /no/such/path -t sed", place->folder);
    for (size_t i = 0; i < NG_COUNT(shells); i++) {
        if (!have(shells[i].name, &place->arena)) {
            continue;
        }
        struct ng_facts *facts = collect(place, shells[i].run, words);
        check_common(facts);
        const struct ng_path *path = ng_facts_path(facts, &place->arena, place->folder);
        assert_int_equal(path->directory, NG_ANSWER_YES);
        assert_int_equal(path->writable, NG_ANSWER_YES);
        assert_true(path->available > 0 && path->total >= path->available);
        struct stat info;
        assert_int_equal(stat(place->folder, &info), 0);
        assert_true(path->device == (int64_t)info.st_dev);
        path = ng_facts_path(facts, &place->arena, "/proc/version");
        assert_int_equal(path->directory, NG_ANSWER_NO);
        path = ng_facts_path(facts, &place->arena, "/no/such/path");
        assert_int_equal(path->exists, NG_ANSWER_NO);
        assert_int_equal(ng_facts_tool(facts, &place->arena, "no-such-tool")->found, NG_ANSWER_NO);
        assert_int_equal(ng_facts_tool(facts, &place->arena, "sed")->found, NG_ANSWER_YES);
        bool empty = false;
        assert_true(ng_dir_is_empty(place->folder, &empty, NULL));
        assert_true(empty); /* nothing is left behind */
    }
}

/* What is asked of links: loopback is everywhere, and has a route, a queue and a clock. */
static void links(void **state) {
    struct place *place = *state;
    for (size_t i = 0; i < NG_COUNT(shells); i++) {
        if (!have(shells[i].name, &place->arena)) {
            continue;
        }
        const struct ng_facts *facts = collect(place, shells[i].run,
            "-i lo -i no-such-if -r 127.0.0.1 -r ::1 -s net/ipv4/tcp_sack -s no/such/setting");
        const char *why = NULL;
        assert_true(facts->frames.complete);
        assert_true(facts->clock.ns > INT64_C(1700000000000000000));
        assert_non_null(ng_facts_sysctl(facts, &place->arena, "net/ipv4/tcp_sack", &why));
        assert_null(ng_facts_sysctl(facts, &place->arena, "no/such/setting", &why));
        assert_non_null(strstr(why, "there is no /proc/sys/no/such/setting"));
        /* three numbers: none of the shells may cut them */
        const char *rmem = ng_facts_sysctl(facts, &place->arena, "net/ipv4/tcp_rmem", &why);
        assert_true(rmem != NULL && strchr(strchr(rmem, ' ') + 1, ' ') != NULL);
        if (ng_source_read(ng_frames_find(&facts->frames, "addresses"))) {
            const struct ng_route *route = ng_routes_find(&facts->routes, "127.0.0.1");
            assert_true(route != NULL && ng_route_is_local(route));
            assert_non_null(ng_routes_find(&facts->routes, "::1"));
        }
        const struct ng_nic *nic = ng_nics_find(&facts->nics, "lo");
        assert_true(facts->ethtool_why != NULL ||
                    (nic != NULL && ng_nic_value(&nic->features, "loopback") != NULL));
        assert_null(ng_nics_find(&facts->nics, "no-such-if"));
        assert_true(ng_netifs_find(&facts->netifs, "lo")->counters[NG_COUNTER_RX_BYTES] >= 0);
    }
}

/* Systems merge /usr/sbin into /usr/bin, or have no chroot: then there is nothing to find. */
static void a_tool_is_not_found_in_a_session_that_is_no_login(void **state) {
    struct place *place = *state;
    if (access("/usr/sbin/chroot", X_OK) != 0) {
        print_message("no /usr/sbin/chroot here: not tried\n");
        return;
    }
    for (size_t i = 0; i < NG_COUNT(shells); i++) {
        if (!have(shells[i].name, &place->arena)) {
            continue;
        }
        const char *run = ng_arena_printf(&place->arena, "env PATH=/bin %s", shells[i].run);
        const struct ng_facts *facts = collect(place, run, "-t chroot");
        assert_int_equal(ng_facts_tool(facts, &place->arena, "chroot")->found, NG_ANSWER_YES);
    }
}

static void words_of_another_language(void **state) {
    struct place *place = *state;
    for (size_t i = 0; i < NG_COUNT(shells); i++) {
        if (!have(shells[i].name, &place->arena)) {
            continue;
        }
        const char *run = ng_arena_printf(
            &place->arena, "env LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 LANGUAGE=de %s", shells[i].run);
        const struct ng_facts *facts =
            collect(place, run, "-T fio 4 sh -c 'echo \"fio-1.2 $LC_ALL/$LANG/$LANGUAGE.\"' x");
        assert_string_equal(ng_facts_tool(facts, &place->arena, "fio")->text, "fio-1.2 C/C/.");
    }
}

/* A tool that another command stands for is asked by that command, whatever its words are. */
static void other_commands(void **state) {
    struct place *place = *state;
    for (size_t i = 0; i < NG_COUNT(shells); i++) {
        if (!have(shells[i].name, &place->arena)) {
            continue;
        }
        struct ng_facts *facts = collect(place, shells[i].run,
            "-t sed -T fio 4 sh -c 'echo \"fio-9.8  $*\"' x -T iperf3 1 no-such-program -p /proc "
            "-T ip "
            "3 env 'A=b c' true -t sh");
        assert_true(facts->frames.complete);
        const struct ng_tool *tool = ng_facts_tool(facts, &place->arena, "fio");
        assert_int_equal(tool->found, NG_ANSWER_YES);
        assert_string_equal(tool->text, "fio-9.8  --version");
        assert_int_equal(tool->version.parts[0], 9);
        assert_int_equal(ng_facts_tool(facts, &place->arena, "iperf3")->found, NG_ANSWER_NO);
        tool = ng_facts_tool(facts, &place->arena, "ip");
        assert_int_equal(tool->found, NG_ANSWER_YES);
        assert_non_null(strstr(tool->path, "/env"));
        assert_int_equal(ng_facts_tool(facts, &place->arena, "sed")->found, NG_ANSWER_YES);
        assert_int_equal(ng_facts_tool(facts, &place->arena, "sh")->found, NG_ANSWER_YES);
        assert_int_equal(ng_facts_path(facts, &place->arena, "/proc")->exists, NG_ANSWER_YES);
    }
}

/* Servers, processes and how busy the host is. A job is found by its script, and what its command
 * line says besides is not told. */
static void servers_and_jobs(void **state) {
    struct place *place = *state;
    static const char wait[] = "read -r line || :\n";
    const char *script = ng_arena_printf(&place->arena, "%s/ngjob.sh", place->folder);
    assert_true(ng_file_write_quick(script, wait, sizeof wait - 1, NULL));
    for (size_t i = 0; i < NG_COUNT(shells); i++) {
        if (!have(shells[i].name, &place->arena)) {
            continue;
        }
        FILE *job = popen(/* NOLINT(cert-env33-c) */
            ng_arena_printf(&place->arena, "exec sh %s --secret 4711geheim", script), "w");
        assert_non_null(job);
        const struct ng_facts *facts =
            collect(place, shells[i].run, "-w tasks -w samba -w nfsd -j ,ngjob -j ,ngcollector");
        assert_int_equal(pclose(job), 0);
        assert_true(facts->frames.complete);
        const struct ng_busy *load = &facts->load;
        assert_true(load->average.one >= 0 && load->uptime > 0);
        assert_null(load->tasks.why);
        struct ng_task_match found = ng_tasks_match(&load->tasks, &place->arena, "ngjob");
        assert_string_equal(found.how, "ngjob.sh run by sh");
        found = ng_tasks_match(&load->tasks, &place->arena, "ngcollector");
        assert_null(found.task); /* a piece of the script's path */
        const struct ng_source *words = ng_frames_find(&facts->frames, "tasks.words");
        assert_null(strstr(words->text, "4711"));
        assert_null(facts->servers.mountstats_why);
        assert_true(facts->servers.smb_why != NULL ||
                    ng_smb_config_value(&facts->servers.smb, NULL, "log level") != NULL);
    }
    assert_int_equal(unlink(script), 0);
}

/* Names with blanks, quotes, newlines and other marks stay what they are. */
static void odd_names(void **state) {
    struct place *place = *state;
    const char *odd = ng_arena_printf(&place->arena, "%s/a b'c\"$(x)*\\t", place->folder);
    assert_true(ng_dir_create(odd, NULL));
    struct ng_buf words;
    ng_buf_init(&words, 10000);
    ng_buf_adds(&words, "-p ");
    ng_shell_quote(&words, odd);
    for (size_t i = 0; i < NG_COUNT(shells); i++) {
        if (have(shells[i].name, &place->arena)) {
            struct ng_facts *facts = collect(place, shells[i].run, ng_buf_text(&words));
            const struct ng_path *path = ng_facts_path(facts, &place->arena, odd);
            assert_int_equal(path->directory, NG_ANSWER_YES);
            assert_string_equal(path->real, odd);
        }
    }
    ng_buf_release(&words);
}

/* A FUSE mount whose server never answers: every look at it hangs. False where that cannot be made.
 */
static bool mount_dead(const char *point, int *fuse) {
    char options[100];
    *fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (*fuse < 0 || unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        return false;
    }
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", *fuse);
    return mount("dead", point, "fuse", 0, options) == 0;
}

static void dead_mount(void **state) {
    struct place *place = *state;
    int fuse = -1;
    const char *point = ng_arena_printf(&place->arena, "%s/dead", place->folder);
    assert_true(ng_dir_create(point, NULL));
    if (!mount_dead(point, &fuse)) {
        print_message("a dead mount needs root and /dev/fuse: not tried\n");
        if (fuse >= 0) {
            close(fuse);
        }
        skip();
    }
    const char *words =
        ng_arena_printf(&place->arena, "-p %s -p %s/x -p /tmp -p %s/y", point, point, point);
    struct ng_clock clock = ng_clock_real();
    for (size_t i = 0; i < NG_COUNT(shells); i++) {
        if (!have(shells[i].name, &place->arena)) {
            continue;
        }
        int64_t before = ng_clock_mono(&clock);
        struct ng_facts *facts = collect(place, shells[i].run, words);
        assert_true(ng_clock_mono(&clock) - before < 12 * NG_NS_PER_S);
        check_common(facts);
        const struct ng_path *path = ng_facts_path(facts, &place->arena, point);
        assert_true(path->late);
        assert_int_equal(path->exists, NG_ANSWER_UNKNOWN);
        assert_string_equal(ng_facts_mount(facts, point)->source, "dead");
        assert_int_equal(ng_facts_path(facts, &place->arena, "/tmp")->directory, NG_ANSWER_YES);
    }
    umount2(point, MNT_DETACH);
    close(fuse);
}

/* Names of users and passwords stay where they are. After dead_mount, in its own namespace. */
static void masked_mounts(void **state) {
    struct place *place = *state;
    const char *point = ng_arena_printf(&place->arena, "%s/m", place->folder);
    assert_true(ng_dir_create(point, NULL));
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("x,username=jo,domain=LAB,password=geheim", point, "tmpfs", 0, NULL) != 0) {
        print_message("mounts need root: not tried\n");
        skip();
    }
    const struct ng_facts *facts =
        collect(place, "dash", ng_arena_printf(&place->arena, "-p %s", point));
    assert_string_equal(
        ng_facts_mount(facts, point)->source, "x,username=***,domain=***,password=***");
    assert_null(strstr(ng_frames_find(&facts->frames, "mountinfo")->text, "geheim"));
    assert_null(strstr(ng_frames_find(&facts->frames, "mountinfo.after")->text, "geheim"));
    umount2(point, MNT_DETACH);
}

/* Everything that is there with all groups is there without one, but what belongs to that. */
static void check_left_out(const struct ng_frames *all, const struct ng_facts *less, int group) {
    size_t left_out = 0;
    assert_true(less->frames.complete);
    for (size_t i = 0; i < all->count; i++) {
        const char *name = all->items[i].name;
        const bool out = group_of(name) == (unsigned)group;
        const enum ng_source_state state = ng_frames_find(&less->frames, name)->state;
        if (out != (state == NG_SOURCE_MISSING)) {
            fail_msg("%s without group %d: state %d", name, group, (int)state);
        }
        left_out += out ? 1 : 0;
    }
    assert_true(left_out > 0 && left_out < all->count);
    assert_non_null(less->boot_id);
    assert_true(less->ram > 0);
}

static void groups(void **state) {
    static const char *const words[] = {
#define X(name, word, help) word,
        NG_COLLECT_GROUPS(X)
#undef X
    };
    struct place *place = *state;
    const char *asked = "-p /tmp -t sed -i lo -r 127.0.0.1 -w tasks -w nfsd -w samba";
    const struct ng_facts *all = collect(place, "sh", asked);
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        const char *less = ng_arena_printf(&place->arena, "%s -x %s", asked, words[i]);
        check_left_out(&all->frames, collect(place, "sh", less), 1 << i);
    }
    const char *none = asked;
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        none = ng_arena_printf(&place->arena, "%s -x %s", none, words[i]);
    }
    const struct ng_facts *bare = collect(place, "sh", none);
    for (size_t i = 0; i < bare->frames.count; i++) {
        assert_int_equal(group_of(bare->frames.items[i].name), 0);
    }
    assert_int_equal(ng_facts_path(bare, &place->arena, "/tmp")->directory, NG_ANSWER_YES);
    assert_true(bare->mounts.count > 0);
}

static void embedded(void **state) {
    (void)state;
    static const char *const files[] = {"/runner/facts/collector_jobs.sh",
        "/runner/facts/collector_host.sh", "/runner/facts/collector_links.sh",
        "/runner/facts/collector_servers.sh", "/runner/facts/collector_load.sh",
        "/runner/facts/collector_storage.sh", "/runner/facts/collector_volumes.sh",
        "/runner/facts/collector.sh"};
    size_t at = 0;
    for (size_t i = 0; i < NG_COUNT(files); i++) {
        char path[4096];
        char *text = NULL;
        size_t len = 0;
        snprintf(path, sizeof path, "%s%s", NG_SOURCE_DIR, files[i]);
        assert_true(ng_file_read(path, 1 << 20, &text, &len, NULL));
        assert_true(at + len <= ng_collector_sh_len);
        assert_memory_equal(text, ng_collector_sh + at, len);
        at += len;
        free(text);
    }
    assert_int_equal(at, ng_collector_sh_len);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embedded),
        cmocka_unit_test_setup_teardown(everywhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_commands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_tool_is_not_found_in_a_session_that_is_no_login, set_up, tear_down),
        cmocka_unit_test_setup_teardown(words_of_another_language, set_up, tear_down),
        cmocka_unit_test_setup_teardown(servers_and_jobs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(odd_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dead_mount, set_up, tear_down),
        cmocka_unit_test_setup_teardown(masked_mounts, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

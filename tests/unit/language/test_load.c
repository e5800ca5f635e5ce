/* test_load.c - a whole plan comes out as the typed plan that its text says. */
#include "tests/unit/language/vocabulary_fixture.h"

#include <stdio.h>

#include "plans/language/effective.h"

static const char whole[] =
    "# comment\n"
    "nasgate: 1\n"
    "name: backup-path\n"
    "params:\n"
    "  size: {default: 30 GiB, help: working set}\n"
    "  depth: 16\n"
    "topology:\n"
    "  hosts: {backup: local, nas: {via: local}}\n"
    "  links:\n"
    "    fiber: {ends: [\"backup:eth0\", {at: \"nas:eth4\", address: 10.0.0.2}], mtu: 9000, speed: "
    "10 Gbit/s}\n"
    "  volumes:\n"
    "    repo:\n"
    "      on: backup\n"
    "      path: //mnt/./bench/\n"
    "      mount: {type: nfs, from: nas, export: /volume1/bench, options: {vers: \"3\", rsize: "
    "128 KiB, hard: true, retrans: 2}}\n"
    "      link: fiber\n"
    "      array: {device: md2, level: raid6, disks: 5, bays: 8}\n"
    "preconditions:\n"
    "  - mounted: repo\n"
    "  - free_space: {volume: repo, at_least: 40 GiB, unknown: allow}\n"
    "  - mounted: {volume: repo}\n"
    "  - tools: [fio, iperf3 >= 3.7]\n"
    "  - tools: {host: nas, need: [\"iperf3 >= 3.7\", fio]}\n"
    "  - tools: fio >= 3.30\n"
    "phases:\n"
    "  - name: wire\n"
    "    title: The wire\n"
    "    iperf3: fiber\n"
    "    pass: throughput >= 90% of link.fiber.speed\n"
    "  - name: write\n"
    "    needs: [wire]\n"
    "    on_fail: stop\n"
    "    repeat: 5\n"
    "    timeout: 2 m\n"
    "    confidence: 95%\n"
    "    fio: {volume: repo, rw: write, bs: 1 MiB, iodepth: \"${depth}\", size: \"${size}\"}\n"
    "    predict:\n"
    "      - write.bw within 250 .. 400 MB/s\n"
    "    pass:\n"
    "      - write.bw >= 95% of baseline\n"
    "      - write.bw >= 20% of wire.throughput\n"
    "repeat: 3\n";

static void load_whole(struct loaded *loaded, const struct ng_setting *settings, size_t count) {
    fixture_load(loaded, "plan.yaml", whole, sizeof whole - 1, settings, count);
    assert_string_equal(ng_buf_text(&loaded->text), "");
    assert_non_null(loaded->plan);
}

static void test_head(void **state) {
    (void)state;
    struct loaded loaded;
    load_whole(&loaded, NULL, 0);
    const struct ng_plan *plan = loaded.plan;
    assert_string_equal(plan->file, "plan.yaml");
    assert_int_equal(plan->text_len, sizeof whole - 1);
    assert_string_equal(plan->text, whole);
    assert_string_equal(plan->name, "backup-path");
    assert_string_equal(plan->title, "backup-path");
    assert_int_equal(plan->repeat, 3);
    assert_true(plan->needs_baseline);
    assert_int_equal(plan->param_count, 2);
    assert_string_equal(plan->params[0].name, "size");
    assert_string_equal(plan->params[0].value, "30 GiB");
    assert_string_equal(plan->params[0].help, "working set");
    assert_string_equal(plan->params[1].value, "16");
    assert_string_equal(plan->params[1].help, "");
    assert_false(plan->params[1].from_command_line);
    fixture_release(&loaded);
}

static void test_topology(void **state) {
    (void)state;
    struct loaded loaded;
    load_whole(&loaded, NULL, 0);
    const struct ng_plan *plan = loaded.plan;
    assert_int_equal(plan->host_count, 2);
    const struct ng_link *link = ng_plan_link(plan, "fiber");
    assert_non_null(link);
    assert_ptr_equal(link->ends[0].at.host, ng_plan_host(plan, "backup"));
    assert_string_equal(link->ends[0].at.name, "eth0");
    assert_null(link->ends[0].address);
    assert_string_equal(link->ends[1].address, "10.0.0.2");
    assert_int_equal(link->mtu, 9000);
    assert_int_equal(link->speed, 10000000000);
    assert_ptr_equal(ng_link_end_on(link, ng_plan_host(plan, "nas")), &link->ends[1]);
    const struct ng_volume *volume = ng_plan_volume(plan, "repo");
    assert_string_equal(volume->path, "/mnt/bench");
    assert_ptr_equal(volume->link, link);
    assert_string_equal(volume->mount->type, "nfs");
    assert_ptr_equal(volume->mount->from, ng_plan_host(plan, "nas"));
    assert_string_equal(volume->mount->export, "/volume1/bench");
    const struct ng_pairs *options = &volume->mount->options;
    static const char *const expected[][2] = {
        {"vers", "3"}, {"rsize", "131072"}, {"hard", "true"}, {"retrans", "2"}};
    assert_int_equal(options->count, NG_COUNT(expected));
    for (size_t i = 0; i < options->count; i++) {
        assert_string_equal(options->items[i].key, expected[i][0]);
        assert_string_equal(options->items[i].value, expected[i][1]);
    }
    assert_string_equal(volume->array->level, "raid6");
    assert_int_equal(volume->array->bays, 8);
    assert_null(ng_plan_volume(plan, "none"));
    fixture_release(&loaded);
}

/* How hosts are reached, and the same again from the plan that is written with all filled in. */
static void check_hosts(const struct ng_plan *plan) {
    const struct ng_host *far = ng_plan_host(plan, "far");
    assert_int_equal(far->via, NG_VIA_SSH);
    assert_string_equal(far->target, "root@nas");
    assert_int_equal(far->options.count, 1);
    assert_string_equal(far->options.items[0].key, "Port");
    assert_string_equal(far->options.items[0].value, "22");
    assert_int_equal(far->privilege, NG_PRIVILEGE_SUDO);
    const struct ng_texts *words = ng_host_tool(far, "iperf3");
    assert_int_equal(words->count, 2);
    assert_string_equal(words->items[1], "it's \"a b\"");
    assert_int_equal(ng_host_tool(far, "fio")->count, 1);
    assert_null(ng_host_tool(far, "ping"));
    const struct ng_host *room = ng_plan_host(plan, "room");
    assert_int_equal(room->via, NG_VIA_PREFIX);
    assert_int_equal(room->prefix.count, 4);
    assert_string_equal(room->prefix.items[3], "room");
    assert_int_equal(room->privilege, NG_PRIVILEGE_NONE);
    assert_int_equal(ng_plan_host(plan, "here")->via, NG_VIA_LOCAL);
    assert_string_equal(ng_via_word(far), "ssh");
    assert_string_equal(ng_via_word(room), "prefix");
}

static void test_hosts(void **state) {
    (void)state;
    static const char text[] =
        "nasgate: 1\nname: hosts\ntopology:\n  hosts:\n    here: local\n"
        "    far: {via: ssh, target: root@nas, options: {Port: 22}, privilege: sudo,\n"
        "      tools: {iperf3: [run, 'it''s \"a b\"'], fio: /opt/fio}}\n"
        "    room: {via: {prefix: [ip, netns, exec, room]}}\n"
        "  links: {l: {ends: [\"here:a\", \"far:b\"]}}\n"
        "phases: [{name: w, iperf3: l, pass: throughput >= 1 bit/s}]\n";
    struct loaded loaded, again;
    fixture_load(&loaded, "plan.yaml", text, sizeof text - 1, NULL, 0);
    assert_string_equal(ng_buf_text(&loaded.text), "");
    check_hosts(loaded.plan);
    struct ng_buf effective;
    ng_buf_init(&effective, 1 << 20);
    ng_effective_write(loaded.plan, &effective);
    fixture_load(&again, "plan.yaml", effective.data, effective.len, NULL, 0);
    assert_string_equal(ng_buf_text(&again.text), "");
    check_hosts(again.plan);
    ng_buf_release(&effective);
    fixture_release(&again);
    fixture_release(&loaded);
}

static void test_preconditions(void **state) {
    (void)state;
    struct loaded loaded;
    load_whole(&loaded, NULL, 0);
    const struct ng_plan *plan = loaded.plan;
    static const char *const ids[] = {"mounted-repo", "free_space-repo", "mounted-repo-2",
        "tools-all", "tools-nas", "tools-all-2"};
    assert_int_equal(plan->precondition_count, NG_COUNT(ids));
    for (size_t i = 0; i < NG_COUNT(ids); i++) {
        assert_string_equal(plan->preconditions[i].id, ids[i]);
        assert_int_equal(plan->preconditions[i].allow_unknown, i == 1);
    }
    const struct condition_params *space = plan->preconditions[1].params;
    assert_int_equal(space->at_least, INT64_C(40) << 30);
    const struct condition_params *tools = plan->preconditions[3].params;
    assert_int_equal(tools->need.count, 2);
    assert_string_equal(tools->need.items[1], "iperf3 >= 3.7");
    assert_int_equal(tools->need.places[1].line, 22);
    fixture_release(&loaded);
}

static void test_phases(void **state) {
    (void)state;
    struct loaded loaded;
    load_whole(&loaded, NULL, 0);
    const struct ng_plan *plan = loaded.plan;
    assert_int_equal(plan->phase_count, 2);
    const struct ng_phase *wire = ng_plan_phase(plan, "wire");
    assert_string_equal(wire->title, "The wire");
    assert_ptr_equal(wire->kind, &iperf3_kind);
    assert_int_equal(wire->repeat, 3);
    assert_int_equal(wire->on_fail, NG_ON_FAIL_CONTINUE);
    assert_int_equal(((const struct link_params *)wire->params)->time_ns, 10000000000);
    assert_int_equal(wire->pass_count, 1);
    const struct ng_phase *write = &plan->phases[1];
    assert_string_equal(write->title, "write");
    assert_int_equal(write->index, 1);
    assert_int_equal(write->need_count, 1);
    assert_ptr_equal(write->needs[0], wire);
    assert_int_equal(write->on_fail, NG_ON_FAIL_STOP);
    assert_int_equal(write->repeat, 5);
    assert_int_equal(write->timeout_ns, INT64_C(120000000000));
    assert_true(write->confidence > 0.949 && write->confidence < 0.951);
    const struct fio_params *params = write->params;
    assert_int_equal(params->iodepth, 16);
    assert_int_equal(params->size, INT64_C(30) << 30);
    assert_int_equal(params->bs, 1 << 20);
    assert_true(params->end_fsync);
    assert_int_equal(params->direct, 0);
    assert_int_equal(write->pass_count, 2);
    assert_true(write->pass[0]->needs_baseline);
    assert_false(write->pass[1]->needs_baseline);
    assert_string_equal(write->predict[0]->text, "write.bw within 250 .. 400 MB/s");
    fixture_release(&loaded);
}

static void test_settings(void **state) {
    (void)state;
    struct loaded loaded;
    const struct ng_setting settings[] = {{"depth", "8"}, {"size", "1 GiB"}, {"depth", "32"}};
    load_whole(&loaded, settings, NG_COUNT(settings));
    const struct fio_params *params = loaded.plan->phases[1].params;
    assert_int_equal(params->iodepth, 32);
    assert_int_equal(params->size, INT64_C(1) << 30);
    assert_string_equal(loaded.plan->params[1].value, "32");
    assert_true(loaded.plan->params[1].from_command_line);
    fixture_release(&loaded);
}

static void test_file(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_diags diags = {.arena = &arena};
    const struct ng_load_options options = {.vocabulary = &fixture_vocabulary};
    assert_null(ng_plan_load("tests/no-such.yaml", &options, &diags));
    assert_null(ng_plan_load("tests", &options, &diags));
    assert_int_equal(diags.errors, 2);
    assert_int_equal(diags.items[0].pos.line, 0);
    struct ng_buf out;
    ng_buf_init(&out, 4096);
    ng_diags_format(&diags, &out);
    assert_non_null(
        strstr(ng_buf_text(&out), "tests/no-such.yaml: error: cannot read the plan: No"));
    assert_non_null(
        strstr(ng_buf_text(&out), "tests: error: cannot read the plan: it is a folder"));
    ng_buf_release(&out);
    ng_arena_release(&arena);
}

static const char leased[] = "nasgate: 1\n"
                             "name: leased\n"
                             "topology:\n"
                             "  hosts:\n"
                             "    here: local\n"
                             "    nas: {via: ssh, target: root@nas}\n"
                             "    spare: {via: ssh, target: admin@nas}\n"
                             "    room: {via: {prefix: [ip, netns, exec, a]}}\n"
                             "  volumes: {repo: {on: here, path: /mnt/x}}\n"
                             "phases:\n"
                             "  - name: w\n"
                             "    fio: {volume: repo, rw: write, bs: 1 MiB, size: 1 GiB}\n"
                             "    pass: write.bw >= 1 kB/s\n"
                             "lease: ";

/* Every plan takes the same units in the same order, whatever it calls them. */
static void test_lease(void **state) {
    (void)state;
    static const struct {
        const char *written, *order;
        int64_t wait_ns;
    } rows[] = {
        {"nas\n", "nas", 0},
        {"[nas, here]\n", "here nas", 0},
        {"{hosts: nas, wait: 10 m}\n", "nas", INT64_C(600000000000)},
        {"{hosts: [nas, room, spare, here], wait: 1 s}\n", "here room spare nas",
            INT64_C(1000000000)},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct loaded loaded;
        char text[2000];
        char order[200] = "";
        snprintf(text, sizeof text, "%s%s", leased, rows[i].written);
        fixture_load(&loaded, "plan.yaml", text, strlen(text), NULL, 0);
        assert_string_equal(ng_buf_text(&loaded.text), "");
        const struct ng_lease_spec *lease = &loaded.plan->lease;
        for (size_t j = 0; j < lease->count; j++) {
            strcat(order, j > 0 ? " " : "");
            strcat(order, lease->hosts[j]->name);
        }
        assert_string_equal(order, rows[i].order);
        assert_true(lease->wait_ns == rows[i].wait_ns);
        assert_int_equal(lease->pos.line, 14);
        fixture_release(&loaded);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_topology),
        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_lease),
        cmocka_unit_test(test_preconditions),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Frames: what is read, cut, late, absent, and what is ignored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/base/buf.h"
#include "runner/facts/frame.h"

static struct ng_arena arena;

static int set_up(void **state) {
    (void)state;
    ng_arena_init(&arena);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ng_arena_release(&arena);
    return 0;
}

static struct ng_frames parse(const char *text) {
    struct ng_frames frames;
    ng_frames_parse(&frames, &arena, "tok", text, strlen(text));
    return frames;
}

static void whole(void **state) {
    (void)state;
    struct ng_frames frames = parse("Welcome to the machine\nnot a tok B x\n"
                                    "\ntok B one\nline\n\ntok E one 0\n"
                                    "\ntok B empty\n\ntok E empty 0\n"
                                    "\ntok B bare\nno newline\ntok E bare 0\n"
                                    "\ntok A gone 0\n"
                                    "\ntok L slow 3\n"
                                    "\ntok B bad\nhalf\n\ntok E bad 2\n"
                                    "\ntok B bad.err\ncannot open\nmore\n\ntok E bad.err 0\n"
                                    "\ntok Z end\ntok B after\nx\ntok E after 0\n");
    assert_true(frames.complete);
    assert_null(frames.reason);
    assert_string_equal(ng_frames_find(&frames, "one")->text, "line\n");
    assert_int_equal(ng_frames_find(&frames, "one")->len, 5);
    assert_true(ng_source_read(ng_frames_find(&frames, "empty")));
    assert_int_equal(ng_frames_find(&frames, "empty")->len, 0);
    assert_string_equal(ng_frames_find(&frames, "bare")->text, "no newline");
    assert_int_equal(ng_frames_find(&frames, "gone")->state, NG_SOURCE_ABSENT);
    assert_int_equal(ng_frames_find(&frames, "slow")->state, NG_SOURCE_LATE);
    assert_int_equal(ng_frames_find(&frames, "bad")->state, NG_SOURCE_FAILED);
    assert_int_equal(ng_frames_find(&frames, "after")->state, NG_SOURCE_MISSING);
    assert_int_equal(ng_frames_find(&frames, "x")->state, NG_SOURCE_MISSING);
    assert_string_equal(ng_source_why(&frames, ng_frames_find(&frames, "slow"), "the tool", &arena),
        "the tool did not answer in 3 s");
    assert_string_equal(
        ng_source_why(&frames, ng_frames_find(&frames, "gone"), "/proc/mdstat", &arena),
        "there is no /proc/mdstat");
    assert_string_equal(ng_source_why(&frames, ng_frames_find(&frames, "bad"), "dmsetup", &arena),
        "dmsetup failed with status 2: cannot open");
}

static void cut_off(void **state) {
    (void)state;
    struct ng_frames frames = parse("tok B one\nall\n\ntok E one 0\n\ntok B two\nfull\nhal");
    assert_false(frames.complete);
    assert_non_null(frames.reason);
    assert_true(ng_source_read(ng_frames_find(&frames, "one")));
    assert_int_equal(ng_frames_find(&frames, "two")->state, NG_SOURCE_CUT);
    assert_string_equal(ng_frames_find(&frames, "two")->text, "full\n"); /* half a line misleads */
    const struct ng_source *never = ng_frames_find(&frames, "three");
    assert_non_null(
        strstr(ng_source_why(&frames, never, "the third", &arena), "did not reach its end"));
    /* an end of another name, or a beginning inside, does not make a source whole */
    frames = parse("tok B one\nx\ntok E two 0\ntok B three\ny\ntok B four\nz\n\ntok E four 0\n");
    assert_int_equal(ng_frames_find(&frames, "one")->state, NG_SOURCE_CUT);
    assert_int_equal(ng_frames_find(&frames, "three")->state, NG_SOURCE_CUT);
    assert_true(ng_source_read(ng_frames_find(&frames, "four")));
    /* half a marker: whether the status was 1 or 0 is not known */
    frames = parse("tok B one\nx\n\ntok E one ");
    assert_int_equal(ng_frames_find(&frames, "one")->state, NG_SOURCE_CUT);
    frames = parse("tok A one 0\ntok Z end");
    assert_false(frames.complete);
}

static void any_bytes(void **state) {
    (void)state;
    static const char bytes[] = "tok B raw\na\0b\n\xff\ntok E raw 0\ntok Z end\n";
    struct ng_frames frames;
    ng_frames_parse(&frames, &arena, "tok", bytes, sizeof bytes - 1);
    const struct ng_source *raw = ng_frames_find(&frames, "raw");
    assert_int_equal(raw->len, 5);
    assert_memory_equal(raw->text, "a\0b\n\xff", 6);
    ng_frames_parse(&frames, &arena, "tok", "", 0);
    assert_false(frames.complete);
    assert_string_equal(frames.reason, "the collector printed nothing");
}

static void bounds(void **state) {
    (void)state;
    struct ng_buf text;
    ng_buf_init(&text, 1 << 20);
    for (int i = 0; i < NG_FRAMES_MAX + 10; i++) {
        ng_buf_addf(&text, "tok A f%d 0\n", i);
    }
    ng_buf_addf(&text, "tok A %0100d 0\ntok Z end\n", 1);
    struct ng_frames frames;
    ng_frames_parse(&frames, &arena, "tok", ng_buf_text(&text), text.len);
    ng_buf_release(&text);
    assert_int_equal(frames.count, NG_FRAMES_MAX);
    assert_int_equal(frames.dropped, 11);
    assert_true(frames.complete);
    assert_string_equal(frames.reason, "11 sources more than can be kept");
    /* what is missing then says why */
    const struct ng_source *lost = ng_frames_find(&frames, "f4099");
    assert_non_null(strstr(ng_source_why(&frames, lost, "f4099", &arena), "more than can be kept"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

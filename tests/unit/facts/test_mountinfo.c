/* mountinfo: fields, escapes, look-ups and what must not be trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/mountinfo.h"

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

static struct ng_mounts parse(const char *text) {
    struct ng_mounts mounts;
    ng_mounts_parse(&mounts, &arena, text, strlen(text));
    return mounts;
}

static void fields(void **state) {
    (void)state;
    struct ng_mounts mounts =
        parse("36 35 98:0 /sub /mnt/a\\040b\\011c rw,noatime master:1 shared:2 - nfs4 nas:/v\\043x "
              "rw,vers=4.2\n"
              "37 35 0:42 / /plain rw - tmpfs  rw\n"
              "38 35 8:1 / /c rw unbindable - cifs //nas/s rw,unc=\\\\nas\\my share,vers=3\n"
              "39 35 8:2 //deleted /d\\08\\9 rw - ext4 /dev/sda1 rw");
    assert_int_equal(mounts.count, 4);
    assert_int_equal(mounts.bad, 0);
    const struct ng_mount *m = mounts.items;
    assert_int_equal(m[0].id, 36);
    assert_int_equal(m[0].major, 98);
    assert_string_equal(m[0].root, "/sub");
    assert_string_equal(m[0].point, "/mnt/a b\tc");
    assert_string_equal(m[0].type, "nfs4");
    assert_string_equal(m[0].source, "nas:/v#x");
    assert_string_equal(m[1].source, "");
    assert_string_equal(m[1].super_options, "rw");
    assert_non_null(strstr(m[2].super_options, "my share,vers=3"));
    assert_string_equal(m[3].root, "//deleted");
    assert_string_equal(m[3].point, "/d\\08\\9"); /* unknown sequences stay */
}

static void bad_lines(void **state) {
    (void)state;
    static const char *const lines[] = {
        "21 1 253:1 / / rw,relatime  ext4 /dev/mapper/r rw",
        "x 1 253:1 / / rw - ext4 /dev/sda rw",
        "21 1 253 / / rw - ext4 /dev/sda rw",
        "21 1 253:1 / relative rw - ext4 /dev/sda rw",
        "21 1 253:1 / / rw -",
        "21 1 253:1 / / rw - ext4",
        "21",
        "99999999999999999999 1 253:1 / / rw - ext4 /dev/sda rw",
    };
    for (size_t i = 0; i < NG_COUNT(lines); i++) {
        struct ng_mounts mounts = parse(lines[i]);
        if (mounts.count != 0 || mounts.bad != 1) {
            fail_msg("accepted: %s", lines[i]);
        }
    }
}

/* Each of these has shifted the columns of some reader. */
static void blanks_escapes_and_missing_fields_shift_the_columns(void **state) {
    (void)state;
    static const struct {
        const char *line, *point, *type, *source, *options;
    } rows[] = {
        {"36 35 0:42 / /a rw shared:1 master:2 - nfs4 nas:/v rw", "/a", "nfs4", "nas:/v", "rw"},
        {"36 35 0:42 / /a rw - nfs4 nas:/v rw", "/a", "nfs4", "nas:/v", "rw"},
        {"36 35 0:42 / /mnt/c rw - 9p C:\\134Program Files rw", "/mnt/c", "9p", "C:\\Program",
            "Files rw"},
        {"36 35 0:42 / /a rw - cifs //nas/s rw,unc=\\nas\\my share,x", "/a", "cifs", "//nas/s",
            "rw,unc=\\nas\\my share,x"},
        {"36 35 0:42 / /a rw - tmpfs  rw,size=1k", "/a", "tmpfs", "", "rw,size=1k"},
        {"36 35 0:42 / /a\\040-\\040b rw - nfs nas:/a\\040-\\040b rw", "/a - b", "nfs",
            "nas:/a - b", "rw"},
        {"36 35 0:42 / /a rw propagate_from:2 unbindable new:x - nfs nas:/v rw\r", "/a", "nfs",
            "nas:/v", "rw"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_mounts mounts = parse(rows[i].line);
        assert_int_equal(mounts.count, 1);
        assert_string_equal(mounts.items[0].point, rows[i].point);
        assert_string_equal(mounts.items[0].type, rows[i].type);
        assert_string_equal(mounts.items[0].source, rows[i].source);
        assert_string_equal(mounts.items[0].super_options, rows[i].options);
    }
}

#define TREE                                                                                       \
    "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"                                                         \
    "2 1 8:2 / /mnt rw - ext4 /dev/sda2 rw\n"                                                      \
    "3 2 0:40 / /mnt/nas rw - autofs systemd-1 rw\n"                                               \
    "4 3 0:41 / /mnt/nas rw - nfs4 nas:/v rw\n"                                                    \
    "5 1 0:42 / /mnt/nas2 ro - tmpfs t rw\n"

static void find(void **state) {
    (void)state;
    static const struct {
        const char *path, *type, *source;
        bool is_point;
    } rows[] = {
        {"/", "ext4", "/dev/sda1", true},
        {"/mnt", "ext4", "/dev/sda2", true},
        {"/mnt/", "ext4", "/dev/sda2", true},
        {"/mnt/na", "ext4", "/dev/sda2", false},
        {"/mnt/nas", "nfs4", "nas:/v", true}, /* the last of two wins */
        {"/mnt/nas/x/y", "nfs4", "nas:/v", false},
        {"/mnt/nas2/x", "tmpfs", "t", false}, /* a border, not a prefix of text */
        {"/mntx", "ext4", "/dev/sda1", false},
    };
    struct ng_mounts mounts = parse(TREE);
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_mount *mount = ng_mounts_find(&mounts, rows[i].path);
        assert_non_null(mount);
        assert_string_equal(mount->type, rows[i].type);
        assert_string_equal(mount->source, rows[i].source);
        assert_int_equal(ng_mounts_is_point(&mounts, rows[i].path), rows[i].is_point);
    }
    assert_int_equal(ng_mounts_stacked(&mounts, ng_mounts_find(&mounts, "/mnt/nas")), 2);
    assert_null(ng_mounts_find(&mounts, "relative"));
    struct ng_mounts none = parse("5 1 0:42 / /mnt ro - tmpfs t rw\n");
    assert_null(ng_mounts_find(&none, "/home"));
}

static void options(void **state) {
    (void)state;
    struct ng_mounts mounts =
        parse("1 0 0:40 / /a rw,noatime - nfs nas:/v "
              "rw,vers=3,rsize=131072,context=\"a:b:c1,c2\",soft,username=bob,password=x y\n"
              "2 0 0:40 / /b rw - nfs nas:/v ro\n"
              "3 0 0:40 / /c ro - nfs nas:/v rw\n");
    const struct ng_mount *mount = &mounts.items[0];
    const char *value = NULL;
    assert_true(ng_mount_option(mount, "rsize", &arena, &value));
    assert_string_equal(value, "131072");
    assert_true(ng_mount_option(mount, "context", &arena, &value));
    assert_string_equal(value, "a:b:c1,c2");
    assert_false(ng_mount_option(mount, "c2\"", &arena, &value));
    assert_true(ng_mount_option(mount, "soft", &arena, &value));
    assert_string_equal(value, "");
    assert_true(ng_mount_option(mount, "noatime", &arena, &value));
    assert_false(ng_mount_option(mount, "hard", &arena, &value));
    assert_false(ng_mount_option(mount, "size", &arena, &value)); /* not a part of rsize */
    const char *safe = ng_mount_options_safe(mount, &arena);
    assert_non_null(strstr(safe, "username=***"));
    assert_null(strstr(safe, "bob"));
    assert_null(strstr(safe, "x y"));
    assert_false(ng_mount_read_only(mount));
    assert_true(ng_mount_read_only(&mounts.items[1]));
    assert_true(ng_mount_read_only(&mounts.items[2]));
}

/* What is in force is said once, also where the mount and its file system both say it. */
static void options_for_reports(void **state) {
    (void)state;
    static const struct {
        const char *mount, *super, *both;
    } rows[] = {
        {"rw,relatime", "rw", "rw,relatime"},
        {"rw,relatime", "rw,relatime", "rw,relatime"},
        {"rw,noatime", "rw,vers=4.2,hard", "rw,noatime,vers=4.2,hard"},
        {"ro,noatime", "rw,errors=remount-ro", "ro,noatime,errors=remount-ro"},
        {"rw", "ro,errors=remount-ro", "rw,ro,errors=remount-ro"},
        {"rw,soft", "rw,softer", "rw,soft,softer"},
        {"rw", "", "rw"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_mount mount = {.options = rows[i].mount, .super_options = rows[i].super};
        assert_string_equal(ng_mount_options_safe(&mount, &arena), rows[i].both);
    }
}

static void kinds(void **state) {
    (void)state;
    static const struct {
        const char *type;
        bool network, no_disk;
    } rows[] = {
        {"nfs", true, false},
        {"nfs4", true, false},
        {"cifs", true, false},
        {"fuse.sshfs", true, false},
        {"fuse.shfs", false, true},
        {"fuseblk", false, false},
        {"ext4", false, false},
        {"zfs", false, false},
        {"overlay", false, true},
        {"tmpfs", false, true},
        {"autofs", false, true},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_mount mount = {.type = rows[i].type};
        if (ng_mount_is_network(&mount) != rows[i].network ||
            ng_mount_is_virtual(&mount) != rows[i].no_disk) {
            fail_msg("%s", rows[i].type);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            blanks_escapes_and_missing_fields_shift_the_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find, set_up, tear_down),
        cmocka_unit_test_setup_teardown(options, set_up, tear_down),
        cmocka_unit_test_setup_teardown(options_for_reports, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kinds, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

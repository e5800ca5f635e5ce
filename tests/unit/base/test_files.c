/** test_files.c - bounded reads, atomic writes, folders and their removal. */
#include "runner/base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "runner/base/guard.h"

static char *folder; /* private to each test */
static char path[8192];

static int set_up(void **state) {
    (void)state;
    struct ng_err err;
    if (!ng_dir_create_temp("test-files", &folder, &err)) {
        print_message("%s\n", err.text);
        return -1;
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    bool ok = ng_dir_remove(folder, NULL);
    free(folder);
    return ok ? 0 : -1;
}

/** FOLDER/name, valid until the next call. */
static const char *in(const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *content) {
    struct ng_err err;
    if (!ng_file_write_atomic(in(name), content, strlen(content), &err)) {
        fail_msg("%s", err.text);
    }
}

static void assert_holds(const char *name, const char *content) {
    char *data;
    size_t len;
    struct ng_err err;
    if (!ng_file_read(in(name), 1000, &data, &len, &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(len, strlen(content));
    assert_string_equal(data, content);
    free(data);
}

static size_t entries(void) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    size_t count = 0;
    while (readdir(dir) != NULL) {
        count++;
    }
    closedir(dir);
    return count - 2;
}

static void assert_not_read(const char *file, enum ng_err_kind kind, const char *text) {
    char *data = NULL;
    size_t len = 7;
    struct ng_err err = {NG_ERR_NONE, ""};
    assert_false(ng_file_read(file, 5, &data, &len, &err));
    assert_int_equal(err.kind, kind);
    assert_non_null(strstr(err.text, file));
    if (strstr(err.text, text) == NULL) {
        fail_msg("%s", err.text);
    }
    assert_null(data);
    assert_int_equal(len, 7);
}

static void files_are_read_up_to_their_bound(void **state) {
    (void)state;
    char *data;
    size_t len;
    put("five", "12345");
    put("six", "123456");
    put("none", "");
    assert_true(ng_file_read(in("five"), 5, &data, &len, NULL));
    assert_int_equal(len, 5);
    assert_string_equal(data, "12345");
    free(data);
    assert_true(ng_file_read(in("none"), 0, &data, &len, NULL));
    assert_int_equal(len, 0);
    assert_string_equal(data, "");
    free(data);
    assert_not_read(in("six"), NG_ERR_LIMIT, "has 6 bytes; at most 5 are allowed");
    assert_true(ng_file_read("/proc/self/stat", 65536, &data, &len, NULL)); /* says size 0 */
    assert_true(len > 10);
    free(data);
    assert_not_read("/proc/self/stat", NG_ERR_LIMIT, "more than the 5 bytes");
}

static void only_regular_files_are_read(void **state) {
    (void)state;
    assert_not_read(in("missing"), NG_ERR_FILE, "No such file");
    assert_not_read(folder, NG_ERR_FILE, "it is a folder, not a file");
    assert_not_read("/dev/null", NG_ERR_FILE, "it is a device");
    assert_int_equal(mkfifo(in("fifo"), 0600), 0);
    assert_not_read(in("fifo"), NG_ERR_FILE, "it is a device, pipe or socket"); /* does not hang */
    assert_int_equal(symlink("loop", in("loop")), 0);
    assert_not_read(in("loop"), NG_ERR_FILE, "symbolic links");
}

static void binary_content_survives(void **state) {
    (void)state;
    char *data;
    size_t len;
    size_t size = 3000000;
    char *big = malloc(size);
    assert_non_null(big);
    for (size_t i = 0; i < size; i++) {
        big[i] = (char)(i * 7 % 256);
    }
    assert_true(ng_file_write_atomic(in("big"), big, size, NULL));
    assert_true(ng_file_read(in("big"), size, &data, &len, NULL));
    assert_int_equal(len, size);
    assert_memory_equal(data, big, size);
    assert_int_equal(data[size], '\0');
    free(data);
    free(big);
}

static void writing_replaces_the_whole_file(void **state) {
    (void)state;
    put("a", "a long old content");
    put("a", "new");
    assert_holds("a", "new");
    assert_int_equal(entries(), 1); /* nothing temporary is left */
    struct stat status;
    mode_t mask = umask(022);
    put("b", "");
    umask(mask);
    assert_int_equal(stat(in("b"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0644);
}

static void writing_replaces_a_link_not_its_target(void **state) {
    (void)state;
    put("target", "old");
    assert_int_equal(symlink("target", in("link")), 0);
    put("link", "new");
    assert_holds("target", "old");
    assert_holds("link", "new");
}

static void assert_not_written(const char *file, const char *text) {
    struct ng_err err = {NG_ERR_NONE, ""};
    assert_false(ng_file_write_atomic(file, "x", 1, &err));
    assert_int_equal(err.kind, NG_ERR_FILE);
    if (strstr(err.text, text) == NULL) {
        fail_msg("%s", err.text);
    }
}

static void failed_writes_leave_nothing(void **state) {
    (void)state;
    assert_int_equal(mkdir(in("dir"), 0700), 0);
    assert_not_written(in("dir"), "directory");
    assert_not_written(in("missing/file"), "its folder: No such file");
    assert_not_written(in("dir/"), "it names no file");
    assert_not_written(in("."), "it names no file");
    assert_not_written("", "it names no file");
    assert_int_equal(entries(), 1);
}

/** In a child that may write at most 100 bytes into a file. */
static void a_full_disk_keeps_the_old_content(void **state) {
    (void)state;
    put("file", "old");
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct rlimit limit = {100, 100};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        static const char big[1000];
        struct ng_err err = {NG_ERR_NONE, ""};
        bool wrong = ng_file_write_atomic(in("file"), big, sizeof big, &err) ||
                     strstr(err.text, "File too large") == NULL;
        _exit(wrong ? 1 : 0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_holds("file", "old");
    assert_int_equal(entries(), 1);
}

static void relative_and_long_names_work(void **state) {
    (void)state;
    char before[4096], name[256];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    assert_true(ng_file_write_atomic("here", "1", 1, NULL));
    assert_int_equal(chdir(before), 0);
    assert_holds("here", "1");
    memset(name, 'n', sizeof name);
    name[255] = '\0'; /* no room for a suffix */
    put(name, "2");
    assert_holds(name, "2");
}

static void folders_are_made_with_parents(void **state) {
    (void)state;
    struct ng_err err = {NG_ERR_NONE, ""};
    struct stat status;
    assert_true(ng_dir_create(in("a/b//c/"), NULL));
    assert_true(ng_dir_create(in("a/b//c/"), NULL));
    assert_int_equal(stat(in("a/b/c"), &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_true(ng_dir_create("/", NULL));
    assert_true(ng_dir_create(".", NULL));
    assert_int_equal(symlink("a", in("link")), 0);
    assert_true(ng_dir_create(in("link/d"), NULL));
    assert_int_equal(stat(in("a/d"), &status), 0);
    put("file", "");
    assert_false(ng_dir_create(in("file"), &err));
    assert_non_null(strstr(err.text, "there is something else"));
    assert_false(ng_dir_create(in("file/x"), &err));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_int_equal(symlink("nowhere", in("dangling")), 0);
    assert_false(ng_dir_create(in("dangling"), NULL));
    assert_false(ng_dir_create("", &err));
    char endless[5000];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    assert_false(ng_dir_create(endless, &err));
    assert_non_null(strstr(err.text, "longer than"));
}

static void a_new_folder_is_new(void **state) {
    (void)state;
    struct ng_err err = {NG_ERR_NONE, ""};
    assert_true(ng_dir_create_new(in("new"), &err));
    assert_false(ng_dir_create_new(in("new"), &err));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_non_null(strstr(err.text, "File exists"));
    assert_false(ng_dir_create_new(in("no/parent"), &err));
}

static void emptiness_is_told(void **state) {
    (void)state;
    bool empty = false;
    struct ng_err err = {NG_ERR_NONE, ""};
    assert_true(ng_dir_is_empty(folder, &empty, &err));
    assert_true(empty);
    put(".hidden", "");
    assert_true(ng_dir_is_empty(folder, &empty, &err));
    assert_false(empty);
    assert_false(ng_dir_is_empty(in("missing"), &empty, &err));
    assert_non_null(strstr(err.text, "No such file"));
    assert_false(ng_dir_is_empty(in(".hidden"), &empty, &err));
}

static void temporary_folders_are_private(void **state) {
    (void)state;
    struct stat status;
    struct ng_err err;
    char *made;
    setenv("TMPDIR", folder, 1);
    assert_true(ng_dir_create_temp("stem", &made, &err));
    assert_memory_equal(made, folder, strlen(folder));
    assert_non_null(strstr(made, "/stem-"));
    assert_int_equal(stat(made, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    free(made);
    made = NULL;
    assert_false(ng_dir_create_temp("a/b", &made, &err));
    setenv("TMPDIR", in("missing"), 1);
    assert_false(ng_dir_create_temp("stem", &made, &err));
    assert_non_null(strstr(err.text, "missing: No such file"));
    assert_null(made);
    setenv("TMPDIR", "relative", 1); /* not trusted */
    assert_true(ng_dir_create_temp("stem", &made, &err));
    assert_memory_equal(made, "/tmp/stem-", 10);
    assert_int_equal(rmdir(made), 0);
    free(made);
    unsetenv("TMPDIR");
}

static void a_tree_goes_and_links_are_not_followed(void **state) {
    (void)state;
    assert_true(ng_dir_create(in("outside"), NULL));
    put("outside/keep", "kept");
    assert_true(ng_dir_create(in("tree/a/b/c"), NULL));
    put("tree/file", "x");
    put("tree/a/b/.hidden", "x");
    assert_int_equal(mkfifo(in("tree/a/fifo"), 0600), 0);
    assert_int_equal(symlink("../outside", in("tree/link")), 0);
    assert_int_equal(symlink("/", in("tree/a/root")), 0);
    assert_int_equal(symlink("nowhere", in("tree/dangling")), 0);
    assert_true(ng_dir_remove(in("tree//"), NULL));
    assert_int_equal(access(in("tree"), F_OK), -1);
    assert_holds("outside/keep", "kept");
    assert_true(ng_dir_remove(in("tree"), NULL)); /* missing is no error */
}

static void assert_not_removed(const char *name, const char *text) {
    struct ng_err err = {NG_ERR_NONE, ""};
    assert_false(ng_dir_remove(name, &err));
    if (strstr(err.text, text) == NULL) {
        fail_msg("%s", err.text);
    }
}

static void what_is_no_folder_of_ours_stays(void **state) {
    (void)state;
    assert_true(ng_dir_create(in("real"), NULL));
    put("real/keep", "kept");
    assert_int_equal(symlink("real", in("link")), 0);
    assert_not_removed(in("link"), "it is not a folder of its own");
    assert_not_removed(in("link/"), "it is not a folder of its own");
    assert_not_removed(in("real/keep"), "it is not a folder of its own");
    assert_not_removed(in("real/."), "refused");
    assert_not_removed(in("real/.."), "refused");
    assert_not_removed("/", "refused");
    assert_not_removed("///", "refused");
    assert_not_removed("", "refused");
    assert_not_removed(".", "refused");
    assert_holds("real/keep", "kept");
}

static void big_folders_go_completely(void **state) {
    (void)state;
    assert_true(ng_dir_create(in("many"), NULL));
    for (int i = 0; i < 3000; i++) {
        char name[64];
        snprintf(name, sizeof name, "many/file-with-a-longer-name-%d", i);
        int fd = open(in(name), O_CREAT | O_WRONLY, 0600);
        assert_true(fd >= 0);
        close(fd);
    }
    assert_true(ng_dir_remove(in("many"), NULL));
    assert_int_equal(entries(), 0);
}

static void depth_is_bounded(void **state) {
    (void)state;
    char name[1000] = "deep";
    for (int i = 0; i < 120; i++) {
        strcat(name, "/d");
    }
    assert_true(ng_dir_create(in(name), NULL));
    struct ng_err err = {NG_ERR_NONE, ""};
    assert_false(ng_dir_remove(in("deep"), &err));
    assert_int_equal(err.kind, NG_ERR_LIMIT);
    assert_non_null(strstr(err.text, "nested deeper than 100"));
    for (size_t len = strlen(name); len >= 4; len -= 2) {
        name[len] = '\0';
        assert_int_equal(rmdir(in(name)), 0);
    }
}

static void mounts_are_not_crossed(void **state) {
    (void)state;
    assert_true(ng_dir_create(in("tree/sub"), NULL));
    assert_true(ng_dir_create(in("bound"), NULL));
    put("bound/keep", "kept");
    char source[8192];
    snprintf(source, sizeof source, "%s", in("bound"));
    if (mount(source, in("tree/sub"), NULL, MS_BIND, NULL) != 0) {
        print_message("skipped: cannot bind-mount: %s\n", strerror(errno));
        skip();
    }
    struct ng_err err = {NG_ERR_NONE, ""};
    bool removed = ng_dir_remove(in("tree"), &err);
    bool top = ng_dir_remove(in("tree/sub"), NULL);
    assert_int_equal(umount(in("tree/sub")), 0);
    assert_false(removed);
    assert_false(top);
    assert_non_null(strstr(err.text, "something is mounted on its folder \"sub\""));
    assert_holds("bound/keep", "kept");
}

/** What need not survive a crash is written whole all the same, over what was there. */
static void quick_writes_replace_the_whole_file(void **state) {
    (void)state;
    struct ng_err err;
    put("quick", "a longer content that was there before");
    assert_true(ng_file_write_quick(in("quick"), "new", 3, &err));
    assert_holds("quick", "new");
    assert_false(ng_file_write_quick(in("missing/quick"), "x", 1, &err));
    assert_int_equal(err.kind, NG_ERR_FILE);
}

static ino_t inode_of(const char *name) {
    struct stat status;
    assert_int_equal(lstat(in(name), &status), 0);
    return status.st_ino;
}

/** The same bytes again touch nothing; other bytes of the same length, and a link, are replaced. */
static void quick_writes_leave_the_same_bytes_alone(void **state) {
    (void)state;
    struct ng_err err;
    put("same", "four");
    const ino_t first = inode_of("same");
    assert_true(ng_file_write_quick(in("same"), "four", 4, &err));
    assert_int_equal(inode_of("same"), first);
    assert_true(ng_file_write_quick(in("same"), "fore", 4, &err));
    assert_holds("same", "fore");
    assert_int_equal(symlink("same", in("link")), 0);
    assert_true(ng_file_write_quick(in("link"), "fore", 4, &err));
    struct stat status;
    assert_int_equal(lstat(in("link"), &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_true(ng_file_write_quick(in("link"), "", 0, &err));
    assert_holds("link", "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(files_are_read_up_to_their_bound),
        TEST(only_regular_files_are_read),
        TEST(binary_content_survives),
        TEST(writing_replaces_the_whole_file),
        TEST(quick_writes_replace_the_whole_file),
        TEST(quick_writes_leave_the_same_bytes_alone),
        TEST(writing_replaces_a_link_not_its_target),
        TEST(failed_writes_leave_nothing),
        TEST(a_full_disk_keeps_the_old_content),
        TEST(relative_and_long_names_work),
        TEST(folders_are_made_with_parents),
        TEST(a_new_folder_is_new),
        TEST(emptiness_is_told),
        TEST(temporary_folders_are_private),
        TEST(a_tree_goes_and_links_are_not_followed),
        TEST(what_is_no_folder_of_ours_stays),
        TEST(big_folders_go_completely),
        TEST(depth_is_bounded),
        TEST(mounts_are_not_crossed),
    };
    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}

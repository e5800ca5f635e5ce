// What /proc says of a process: names that look like fields, entries, identity.
#include "tests/unit/process/children.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "runner/process/procfs.h"

#define REST "7 7 0 -1 4194304 96 0 0 0 1 2 3 4 20 0 3 0 12345 5000 200 18446744073709551615"

static void test_parse(void **state) {
    (void)state;
    static const struct {
        const char *stat;
        bool good;
        char state;
        pid_t pid, ppid;
        const char *name;
    } cases[] = {
        {"17 (fio) S 4 " REST, true, 'S', 17, 4, "fio"},
        {"17 (a) R (b) D 4 " REST, true, 'D', 17, 4, "a)?R?(b"},
        {"17 (()) Z 1 " REST, true, 'Z', 17, 1, "()"},
        {"17 (a\nb\x1b) S 4 " REST, true, 'S', 17, 4, "a?b?"},
        {"17 () S 4 " REST, true, 'S', 17, 4, ""},
        {"17 (0123456789abcdefXX) S 4 " REST, true, 'S', 17, 4, "0123456789abcdef"},
        {"17 (fio) S 4 7 7 0", false, 0, 0, 0, NULL},
        {"17 (fio)", false, 0, 0, 0, NULL},
        {"17 (fio) ", false, 0, 0, 0, NULL},
        {"17 fio S 4 " REST, false, 0, 0, 0, NULL},
        {")( S 4 " REST, false, 0, 0, 0, NULL},
        {"", false, 0, 0, 0, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_proc proc;
        assert_int_equal(ng_proc_parse(cases[i].stat, &proc), cases[i].good);
        if (cases[i].good) {
            assert_int_equal(proc.state, cases[i].state);
            assert_int_equal(proc.pid, cases[i].pid);
            assert_int_equal(proc.ppid, cases[i].ppid);
            assert_string_equal(proc.name, cases[i].name);
            assert_int_equal(proc.threads, 3);
            assert_int_equal(proc.start, 12345);
        }
    }
}

static void test_self(void **state) {
    (void)state;
    struct ng_proc proc;
    assert_true(ng_proc_read(getpid(), &proc));
    assert_int_equal(proc.pid, getpid());
    assert_int_equal(proc.ppid, getppid());
    assert_true(proc.start > 0);
    assert_false(ng_proc_ended(&proc));
    char about[NG_PROC_ABOUT];
    assert_non_null(strstr(ng_proc_about(&proc, about), "is in state R, waiting in"));
    assert_false(ng_proc_read(0x7ffffff0, &proc));
}

static void test_ended(void **state) {
    (void)state;
    assert_true(ng_proc_ended(&(struct ng_proc){.state = 'Z', .threads = 1}));
    assert_true(ng_proc_ended(&(struct ng_proc){.state = 'X'}));
    // The first thread has ended, others go on.
    assert_false(ng_proc_ended(&(struct ng_proc){.state = 'Z', .threads = 2}));
    assert_false(ng_proc_ended(&(struct ng_proc){.state = 'D', .threads = 1}));
}

/** A child that waits in exec'd sleep with the given environment. */
static pid_t sleeper(const char *const *env) {
    int closed_by_exec[2];
    assert_int_equal(pipe2(closed_by_exec, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char program[] = "sleep";
        char time[] = "300";
        char *argv[] = {program, time, NULL};
        char *copies[8] = {0};
        for (size_t i = 0; env[i]; i++) {
            copies[i] = strdup(env[i]);
        }
        execve("/bin/sleep", argv, copies);
        _exit(127);
    }
    close(closed_by_exec[1]);
    char byte;
    assert_int_equal(read(closed_by_exec[0], &byte, 1), 0);
    close(closed_by_exec[0]);
    return pid;
}

static void test_entries(void **state) {
    (void)state;
    char *big = malloc(10001);
    assert_non_null(big);
    memset(big, 'x', 10000);
    big[10000] = '\0';
    const char *env[] = {"A=M=run.1", big, "M=run.12", "N=", "LAST=run.7", NULL};
    pid_t pid = sleeper(env);
    assert_false(ng_proc_has_entry(pid, "M=run.1", false)); // only as a part, only as a beginning
    assert_true(ng_proc_has_entry(pid, "M=run.1", true));
    assert_true(ng_proc_has_entry(pid, "M=run.12", false));
    assert_false(ng_proc_has_entry(pid, "M=run.123", true));
    assert_true(ng_proc_has_entry(pid, "A=M=run.1", false));
    assert_true(ng_proc_has_entry(pid, "N=", false));
    assert_true(ng_proc_has_entry(pid, "LAST=run.7", false));
    assert_false(ng_proc_has_entry(pid, "run.7", true));
    assert_false(ng_proc_has_entry(0x7ffffff0, "N=", false));
    free(big);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void test_kill_is_exact(void **state) {
    (void)state;
    const char *env[] = {NULL};
    pid_t pid = sleeper(env);
    struct ng_proc proc;
    assert_true(ng_proc_read(pid, &proc));
    struct ng_proc earlier = proc;
    earlier.start--; // the one that had this pid before
    errno = 0;
    assert_false(ng_proc_signal(&earlier, SIGKILL));
    assert_int_equal(errno, ESRCH);
    assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
    assert_true(ng_proc_signal(&proc, SIGKILL));
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_false(ng_proc_signal(&proc, SIGKILL));
    assert_int_equal(errno, ESRCH);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_self),
        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_kill_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Who is connected to a Samba server, from the tables that smbstatus prints. */
#include "runner/facts/smbstatus.h"

#include <string.h>
#include <strings.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

const char *ng_smb_degree_word(enum ng_smb_degree degree) {
    static const char *const words[] = {"unknown", "none", "partial", "full"};
    return (size_t)degree < NG_COUNT(words) ? words[degree] : words[0];
}

int64_t ng_smb_dialect_number(const char *word) {
    static const struct {
        const char *word;
        int64_t number;
    } rows[] = {
        {"SMB3_11", 0x311},
        {"SMB3", 0x311},
        {"3.1.1", 0x311},
        {"3.11", 0x311},
        {"0x311", 0x311},
        {"SMB3_02", 0x302},
        {"3.0.2", 0x302},
        {"3.02", 0x302},
        {"0x302", 0x302},
        {"SMB3_10", 0x301},
        {"SMB3_00", 0x300},
        {"3.0", 0x300},
        {"3", 0x300},
        {"0x300", 0x300},
        {"SMB2_24", 0x224},
        {"SMB2_22", 0x222},
        {"SMB2_10", 0x210},
        {"SMB2", 0x210},
        {"2.1", 0x210},
        {"0x210", 0x210},
        {"SMB2_02", 0x202},
        {"2.0.2", 0x202},
        {"2.0", 0x202},
        {"2", 0x202},
        {"0x202", 0x202},
        {"NT1", 1},
        {"SMB1", 1},
        {"1.0", 1},
        {"1", 1},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (strcasecmp(rows[i].word, word) == 0) {
            return rows[i].number;
        }
    }
    return 0;
}

struct ng_smb_session *ng_smb_status_add(
    struct ng_smb_status *status, struct ng_arena *arena, bool connection) {
    struct ng_smb_session **items = connection ? &status->connections : &status->sessions;
    size_t *count = connection ? &status->connection_count : &status->session_count;
    size_t *capacity = connection ? &status->connection_capacity : &status->session_capacity;
    if (*count >= NG_SMB_SESSIONS_MAX) {
        status->bad++;
        return NULL;
    }
    *items = ng_arena_grow(arena, *items, *count, capacity, sizeof **items);
    struct ng_smb_session *session = &(*items)[(*count)++];
    *session = (struct ng_smb_session){.pid = -1};
    return session;
}

/** Which columns a table has, counted from its right end. */
struct table {
    bool sessions, connections;
    bool dialect, degrees; /* "Protocol Version"; "Encryption" and "Signing" */
    size_t pid_at;         /* column of "pid" among connections */
};

static char *clean(struct ng_arena *arena, struct ng_span text) {
    return ng_text_clean_dup(arena, text.at, text.len, NG_TEXT_LINE, 200);
}

/* Takes the last word off a line. */
static bool last_word(struct ng_span *line, struct ng_span *word) {
    *line = ng_span_trim(*line);
    size_t from = line->len;
    while (from > 0 && line->at[from - 1] != ' ' && line->at[from - 1] != '\t') {
        from--;
    }
    *word = ng_span(line->at + from, line->len - from);
    line->len = from;
    return word->len > 0;
}

/* "-", "AES-128-GMAC", "partial(AES-128-GCM)"; false for what is none of them. */
static bool degree(
    struct ng_arena *arena, struct ng_span word, enum ng_smb_degree *out, const char **algorithm) {
    *algorithm = NULL;
    if (ng_span_is(word, "-")) {
        *out = NG_SMB_NONE;
        return true;
    }
    const bool partial = ng_span_begins(word, "partial(");
    struct ng_span inner = partial ? ng_span(word.at + 8, word.len - 8) : word;
    inner.len -= partial && inner.len > 0 && inner.at[inner.len - 1] == ')' ? 1 : 0;
    /* an algorithm has capitals and dashes: no part of a date or an address */
    if (inner.len < 4 || inner.at[0] < 'A' || inner.at[0] > 'Z' || !ng_span_has(inner, '-')) {
        return false;
    }
    *out = partial ? NG_SMB_PARTIAL : NG_SMB_FULL;
    *algorithm = clean(arena, inner);
    return true;
}

static bool take_degrees(struct ng_arena *arena, struct ng_span *line, struct ng_smb_session *out) {
    struct ng_span signing, encryption;
    return last_word(line, &signing) && degree(arena, signing, &out->signing, &out->signer) &&
           last_word(line, &encryption) &&
           degree(arena, encryption, &out->encryption, &out->cipher);
}

/* "12668", or "0:12668" in a cluster. */
static bool pid_of(struct ng_span word, int64_t *pid) {
    if (ng_span_has(word, ':')) {
        (void)ng_span_until(&word, ':');
    }
    return ng_span_int(word, pid) && *pid >= 0;
}

/* User and group stand between the pid and the machine, and may hold blanks: the machine is what
 * begins at the last word before "(ipv4:...)". */
static struct ng_span machine_of(struct ng_span line) {
    struct ng_span word, tail = ng_span_trim(line);
    struct ng_span rest = tail;
    if (!last_word(&rest, &word)) {
        return tail;
    }
    if (word.at[0] == '(') {
        const char *end = word.at + word.len;
        if (last_word(&rest, &word)) {
            return ng_span(word.at, (size_t)(end - word.at));
        }
    }
    return word;
}

static void read_session(struct ng_smb_status *status, struct ng_arena *arena,
    const struct table *table, struct ng_span line) {
    struct ng_smb_session row = {.pid = -1};
    struct ng_span pid, dialect;
    bool good = ng_span_word(&line, &pid) && pid_of(pid, &row.pid);
    good = good && (!table->degrees || take_degrees(arena, &line, &row));
    if (good && table->dialect) {
        good = last_word(&line, &dialect);
        if (good && dialect.at[0] == '(') { /* "Unknown (0x...)" */
            good = last_word(&line, &dialect);
        }
        row.dialect = good ? clean(arena, dialect) : NULL;
    }
    line = ng_span_trim(line);
    if (!good || line.len == 0) {
        status->bad++;
        return;
    }
    struct ng_smb_session *session = ng_smb_status_add(status, arena, false);
    if (session != NULL) {
        row.machine = clean(arena, machine_of(line));
        *session = row;
    }
}

/* The pid stands at its column or, behind a long name, to the right of it. */
static void read_connection(struct ng_smb_status *status, struct ng_arena *arena,
    const struct table *table, struct ng_span line) {
    struct ng_smb_session row = {.pid = -1};
    const char *begin = line.at;
    bool good = !table->degrees || take_degrees(arena, &line, &row);
    struct ng_span rest = line, word;
    while (good && row.share == NULL && ng_span_word(&rest, &word)) {
        const size_t at = (size_t)(word.at - begin);
        if (at > 0 && at >= table->pid_at && pid_of(word, &row.pid)) {
            row.share = clean(arena, ng_span_trim(ng_span(begin, at)));
        }
    }
    if (!good || row.share == NULL || row.share[0] == '\0') {
        status->bad++;
        return;
    }
    struct ng_smb_session *connection = ng_smb_status_add(status, arena, true);
    if (connection != NULL) {
        *connection = row;
    }
}

/* Whether a line is the head of a table; then it tells the columns. */
static bool read_head(struct ng_span line, struct table *table) {
    struct ng_span rest = line, first, second;
    if (!ng_span_word(&rest, &first) || !ng_span_word(&rest, &second)) {
        return false;
    }
    const bool degrees =
        ng_span_after(line, "Encryption").at != NULL && ng_span_after(line, "Signing").at != NULL;
    if (ng_span_is(first, "PID") && ng_span_is(second, "Username")) {
        *table = (struct table){.sessions = true,
            .dialect = ng_span_after(line, "Protocol Version").at != NULL,
            .degrees = degrees};
        return true;
    }
    if (ng_span_is(first, "Service") && ng_span_is(second, "pid")) {
        *table = (struct table){
            .connections = true, .degrees = degrees, .pid_at = (size_t)(second.at - line.at)};
        return true;
    }
    return false;
}

static bool is_ruler(struct ng_span line) {
    line = ng_span_trim(line);
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] != '-') {
            return false;
        }
    }
    return line.len > 0;
}

static void read_tables(
    struct ng_smb_status *status, struct ng_arena *arena, const char *text, size_t len) {
    struct table table = {0};
    bool rows = false; /* behind the ruler */
    struct ng_span rest = ng_span_lines(text, len), line;
    while (ng_span_line(&rest, &line)) {
        const struct ng_span version = ng_span_after(line, "Samba version ");
        if (version.at != NULL && status->version == NULL) {
            status->version = clean(arena, version);
        } else if (read_head(line, &table)) {
            rows = false;
        } else if (is_ruler(line)) {
            rows = table.sessions || table.connections;
            status->understood = status->understood || rows;
        } else if (ng_span_trim(line).len == 0) {
            if (rows) {
                table = (struct table){0};
                rows = false;
            }
        } else if (rows && table.sessions) {
            read_session(status, arena, &table, line);
        } else if (rows) {
            read_connection(status, arena, &table, line);
        }
    }
}

void ng_smb_status_parse(
    struct ng_smb_status *status, struct ng_arena *arena, const char *text, size_t len) {
    *status = (struct ng_smb_status){0};
    const struct ng_span head = ng_span(text, len);
    size_t skip = 0;
    while (skip < head.len && strchr(" \t\r\n", head.at[skip]) != NULL && head.at[skip] != '\0') {
        skip++;
    }
    if (skip < head.len && head.at[skip] == '{') {
        status->understood = ng_smb_status_json(status, arena, text + skip, len - skip);
        return;
    }
    read_tables(status, arena, text, len);
}

/* Who is connected to a Samba server, from smbstatus --json (4.17 and later). */
#include <jansson.h>
#include <string.h>

#include "runner/base/jsonscan.h"
#include "runner/base/text.h"
#include "runner/facts/scan.h"
#include "runner/facts/smbstatus.h"

static const char *text_at(struct ng_arena *arena, const json_t *value, const char *path) {
    const char *text = ng_json_string(value, path);
    return text == NULL || *text == '\0'
               ? NULL
               : ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, 200);
}

/* {"cipher": "AES-128-GCM", "degree": "partial"}; anonymous has a "-" for the cipher. */
static enum ng_smb_degree degree_at(
    struct ng_arena *arena, const json_t *value, const char **algorithm) {
    const char *word = ng_json_string(value, "degree");
    const char *cipher = text_at(arena, value, "cipher");
    *algorithm = cipher != NULL && strcmp(cipher, "-") == 0 ? NULL : cipher;
    if (word == NULL) {
        return NG_SMB_UNTOLD;
    }
    return strcmp(word, "none") == 0      ? NG_SMB_NONE
           : strcmp(word, "partial") == 0 ? NG_SMB_PARTIAL
           : strcmp(word, "full") == 0    ? NG_SMB_FULL
                                          : NG_SMB_UNTOLD;
}

/* A number, or a text that is one. */
static int64_t pid_at(const json_t *value) {
    const json_t *pid = json_object_get(json_object_get(value, "server_id"), "pid");
    const char *text = json_string_value(pid);
    int64_t number = -1;
    if (json_is_integer(pid)) {
        return (int64_t)json_integer_value(pid);
    }
    return text != NULL && ng_span_int(ng_span(text, strlen(text)), &number) ? number : -1;
}

static void read_items(
    struct ng_smb_status *status, struct ng_arena *arena, json_t *items, bool connections) {
    const char *key;
    json_t *value;
    json_object_foreach(items, key, value) {
        const char *share = text_at(arena, value, "service");
        if (!json_is_object(value) || (connections && share == NULL)) {
            status->bad++;
            continue;
        }
        struct ng_smb_session *out = ng_smb_status_add(status, arena, connections);
        if (out == NULL) {
            return;
        }
        out->pid = pid_at(value);
        out->share = connections ? share : NULL;
        out->machine = text_at(arena, value, connections ? "machine" : "remote_machine");
        out->dialect = text_at(arena, value, "session_dialect");
        out->encryption = degree_at(arena, json_object_get(value, "encryption"), &out->cipher);
        out->signing = degree_at(arena, json_object_get(value, "signing"), &out->signer);
    }
}

bool ng_smb_status_json(
    struct ng_smb_status *status, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_jsonscan scan;
    bool found = false;
    ng_jsonscan_init(&scan, text, len);
    for (size_t i = 0; i < scan.count && !found; i++) {
        json_t *sessions = json_object_get(scan.docs[i], "sessions");
        if (!json_is_object(sessions)) {
            continue;
        }
        found = true;
        status->version = text_at(arena, scan.docs[i], "version");
        read_items(status, arena, sessions, false);
        read_items(status, arena, json_object_get(scan.docs[i], "tcons"), true);
    }
    ng_jsonscan_release(&scan);
    return found;
}

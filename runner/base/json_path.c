/** json_path.c - values inside a JSON document by their path. */
#include <math.h>
#include <string.h>

#include "runner/base/jsonscan.h"

json_t *ng_json_at(const json_t *root, const char *path) {
    enum { KEY_MAX = 127 };
    char key[KEY_MAX + 1];
    for (;;) {
        size_t len = strcspn(path, ".");
        if (len > KEY_MAX) {
            return NULL;
        }
        memcpy(key, path, len);
        key[len] = '\0';
        json_t *found = json_object_get(root, key);
        if (found == NULL || path[len] == '\0') {
            return found;
        }
        root = found;
        path += len + 1;
    }
}

bool ng_json_number(const json_t *root, const char *path, double *out) {
    const json_t *found = ng_json_at(root, path);
    if (!json_is_number(found) || !isfinite(json_number_value(found))) {
        return false;
    }
    *out = json_number_value(found);
    return true;
}

const char *ng_json_string(const json_t *root, const char *path) {
    return json_string_value(ng_json_at(root, path));
}

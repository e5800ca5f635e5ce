/* The words for what an array can be at work with. */
#include "runner/facts/activity.h"

#include <string.h>

const struct ng_activity ng_activities[] = {
#define X(word, help) {word, help},
    NG_ACTIVITIES(X)
#undef X
};
const size_t ng_activity_count = sizeof ng_activities / sizeof *ng_activities;

const struct ng_activity *ng_activity_find(const char *word) {
    for (size_t i = 0; i < ng_activity_count; i++) {
        if (strcmp(ng_activities[i].word, word) == 0) {
            return &ng_activities[i];
        }
    }
    return NULL;
}

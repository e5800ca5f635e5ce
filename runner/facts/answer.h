/**
 * answer.h - three answers, never two: what was not seen is neither yes nor no.
 */
#ifndef NG_FACTS_ANSWER_H
#define NG_FACTS_ANSWER_H

enum ng_answer { NG_ANSWER_UNKNOWN, NG_ANSWER_NO, NG_ANSWER_YES };

/** "yes", "no", "unknown". */
static inline const char *ng_answer_word(enum ng_answer answer) {
    return answer == NG_ANSWER_YES ? "yes" : answer == NG_ANSWER_NO ? "no" : "unknown";
}

#endif

/**
 * marks.h - the marks that the watchdog puts into the outputs of a command on another host, taken
 * out again while they stream by, with any byte before, between and after them.
 *
 *   TOKEN S             the command's own bytes begin
 *   TOKEN N WHY         it was not started: command, folder, input
 *   TOKEN R             its port listens; may stand anywhere between S and E
 *   newline TOKEN E RC WHY   the command's own bytes have ended; WHY: self, asked, gone, silence,
 *                       each also with -killed
 *   TOKEN L COUNT       so many processes that it left were killed
 *
 * Each ends with a newline. TOKEN is one word that nothing else prints.
 */
#ifndef NG_TRANSPORT_MARKS_H
#define NG_TRANSPORT_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/buf.h"

enum { NG_MARKS_TOKEN = 40, NG_MARKS_WORD = 24 };

struct ng_marks {
    char token[NG_MARKS_TOKEN];
    bool started, ready, ended;
    int rc;                      /* of E */
    char why[NG_MARKS_WORD];     /* of E; "" before */
    bool killed;                 /* E's WHY ended with -killed */
    char refused[NG_MARKS_WORD]; /* of N; "" without */
    int leftovers;
    struct ng_buf noise;   /* what came before the start */
    struct ng_buf body;    /* the command's own bytes */
    struct ng_buf pending; /* private: may be the beginning of a mark */
};

/** `cap`: bytes of the command's own that are kept. */
void ng_marks_init(struct ng_marks *marks, const char *token, size_t cap);
void ng_marks_release(struct ng_marks *marks);
void ng_marks_feed(struct ng_marks *marks, const char *bytes, size_t len);
/** No more comes: what was held back belongs to the command. */
void ng_marks_finish(struct ng_marks *marks);

#endif

/**
 * annotations.h - the red cases of a run as commands that a CI system reads from standard output
 * and shows at the plan's lines.
 *
 * A system shows ten of a kind per step, so at most NG_ANNOTATIONS_MAX are written and one more
 * that says how many are left out. Foreign text is escaped, so that it can neither end a command
 * nor begin one. Nothing for a run without red cases.
 */
#ifndef NG_WRITERS_ANNOTATIONS_H
#define NG_WRITERS_ANNOTATIONS_H

#include "runner/base/buf.h"
#include "runner/result/result.h"

enum { NG_ANNOTATIONS_MAX = 9 };

enum ng_annotation_style {
    NG_ANNOTATIONS_NONE,
    NG_ANNOTATIONS_GITHUB, /* ::error file=F,line=N,title=T::message; also Gitea and Forgejo */
    NG_ANNOTATIONS_AZURE,  /* ##vso[task.logissue type=error;sourcepath=F;linenumber=N]text */
};

void ng_annotations_write(
    const struct ng_result *result, enum ng_annotation_style style, struct ng_buf *out);

#endif

/**
 * ci_text.h - foreign text on a console that a CI system reads for commands.
 *
 * GitHub takes lines that begin with "::", behind blanks too, for commands; older ones and Azure's
 * take "##[" and "##vso[" wherever they stand. What a tool printed must not forge one.
 */
#ifndef NG_CLI_CI_TEXT_H
#define NG_CLI_CI_TEXT_H

#include "runner/base/buf.h"

/** Appends text with such commands broken up: "| ::" at the beginning of a line, "# #[". */
void ng_ci_text(struct ng_buf *out, const char *text);

#endif

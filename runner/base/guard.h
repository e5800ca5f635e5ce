/**
 * guard.h - attributes that every file may use, and nothing else.
 */
#ifndef NG_BASE_GUARD_H
#define NG_BASE_GUARD_H

#define NG_PRINTF(format_arg, first_arg) __attribute__((format(printf, format_arg, first_arg)))
#define NG_MUST_USE __attribute__((warn_unused_result))
#define NG_NORETURN __attribute__((noreturn))
#define NG_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif

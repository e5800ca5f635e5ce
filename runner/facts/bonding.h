/**
 * bonding.h - bonds as /proc/net/bonding tells them.
 *
 * One flow of a bond crosses one slave, whatever the speed of all of them together; only
 * round-robin spreads a flow. LACP can be configured and up, yet carry nothing but one port: that
 * is told by the aggregators and the partner, never by "MII Status: up".
 */
#ifndef NG_FACTS_BONDING_H
#define NG_FACTS_BONDING_H

#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

enum { NG_BONDS_MAX = 256, NG_BOND_SLAVES_MAX = 64 };

enum ng_bond_mode {
    NG_BOND_UNKNOWN,
    NG_BOND_ROUND_ROBIN,
    NG_BOND_ACTIVE_BACKUP,
    NG_BOND_XOR,
    NG_BOND_BROADCAST,
    NG_BOND_LACP,
    NG_BOND_TLB,
    NG_BOND_ALB,
};

struct ng_bond_slave {
    const char *name;
    enum ng_answer up;  /* MII Status */
    int64_t speed;      /* bit/s; 0: unknown */
    const char *duplex; /* "full", "half", "unknown" */
    int64_t aggregator; /* -1: not printed */
    int64_t failures;   /* Link Failure Count; -1: not printed */
};

struct ng_bond {
    const char *name;
    enum ng_bond_mode mode;
    const char *mode_text;  /* as printed, clean; "" */
    const char *hash;       /* Transmit Hash Policy, clean; "" */
    const char *active;     /* Currently Active Slave; "" */
    enum ng_answer up;      /* MII Status of the bond */
    int64_t aggregator;     /* the active one; -1: not printed */
    int64_t ports;          /* of the active aggregator; -1: not printed */
    enum ng_answer partner; /* NO: its address is all zeros, nobody speaks LACP */
    struct ng_bond_slave *slaves;
    size_t slave_count, slave_capacity;
    enum ng_answer sound; /* LACP: all slaves work as one; YES for other modes; UNKNOWN: not told */
    const char *why;      /* why it is not sound or not known to be; NULL otherwise */
};

struct ng_bonds {
    struct ng_bond *items;
    size_t count, capacity;
};

/** Lines `BOND<TAB>LINE`, the lines of one bond's file one after another. A last line without an
 * end is left out: its number may be the beginning of another. */
void ng_bonds_parse(struct ng_bonds *bonds, struct ng_arena *arena, const char *text, size_t len);
/** Sound no longer, for the reason that its text was not seen to its end. */
void ng_bond_doubt(struct ng_bond *bond, const char *why);
const struct ng_bond *ng_bonds_find(const struct ng_bonds *bonds, const char *name);

#endif

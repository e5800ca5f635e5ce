/**
 * mtu_path.h - the proof that packets of a link's MTU pass, and no larger ones: from one end to the
 * other, whole.
 *
 * Payloads of an ICMP echo with "do not fragment" are MTU - 28 (IPv4: 20 + 8 bytes of headers) or
 * MTU - 48 (IPv6: 40 + 8). All of three must come back, and of the size above none must.
 */
#ifndef NG_CONDITIONS_MTU_PATH_H
#define NG_CONDITIONS_MTU_PATH_H

#include "runner/conditions/link_end.h"

enum ng_proof { NG_PROOF_UNKNOWN, NG_PROOF_YES, NG_PROOF_NO };

/** One direction. */
struct ng_mtu_path {
    enum ng_proof proof;
    const char *seen;   /* "client to nas: packets of 9000 bytes pass whole, larger ones do not" */
    const char *remedy; /* NULL with NG_PROOF_YES */
};

/** Wants what is still needed to prove `mtu` from one end to the other. */
void ng_mtu_path_probes(const struct ng_condition_site *site, const struct ng_end *from,
    const struct ng_end *to, int64_t mtu, struct ng_probe_list *wanted);
/** What the probes said. */
struct ng_mtu_path ng_mtu_path_judge(const struct ng_condition_site *site,
    const struct ng_end *from, const struct ng_end *to, int64_t mtu);

#endif

/* What a phase knows of its surroundings. */
#include "runner/execute/site.h"

#include <string.h>

#include "runner/facts/netif.h"

static const struct ng_link *link_of(const struct ng_phase *phase) {
    const struct ng_engine *engine = ng_engine_of(phase->kind);
    return engine->link != NULL ? engine->link(phase->params) : NULL;
}

static struct ng_site blank(struct ng_arena *arena, const struct ng_plan *plan,
    const struct ng_phase *phase, int repeat, int attempt, uint64_t seed) {
    return (struct ng_site){
        .arena = arena,
        .plan = plan,
        .phase = phase,
        .repeat = repeat,
        .attempt = attempt,
        .seed = seed,
    };
}

/* The address of a link's end: as the plan states it, else as the host says: that of the interface,
 * or of the bridge or bond that it belongs to. */
static const char *address_of(struct ng_run *run, const struct ng_link_end *end) {
    if (end->address != NULL) {
        return end->address;
    }
    const struct ng_facts *facts = run->facts[end->at.host - run->plan->hosts];
    const struct ng_netif *netif = ng_netifs_find(&facts->netifs, end->at.name);
    const struct ng_netif *holder = netif != NULL ? ng_netifs_holder(&facts->netifs, netif) : NULL;
    return holder != NULL ? ng_netif_address(holder) : NULL;
}

/* Where the data of a volume really are: on the host itself, or on a server with a cache of its
 * own.
 */
static void set_server(struct ng_run *run, const struct ng_volume *volume, struct ng_site *site) {
    const struct ng_facts *facts = run->facts[volume->on - run->plan->hosts];
    const struct ng_mount *mount = ng_facts_mount(facts, volume->path);
    const struct ng_host *server = volume->mount != NULL ? volume->mount->from : NULL;
    site->network = mount != NULL && ng_mount_is_network(mount);
    if (site->network && server != NULL) {
        site->server_ram = run->facts[server - run->plan->hosts]->ram;
    }
}

struct ng_site ng_site_of_run(
    struct ng_run *run, const struct ng_phase *phase, int repeat, int attempt) {
    struct ng_site site =
        blank(&run->result->arena, run->plan, phase, repeat, attempt, run->result->seed);
    const struct ng_link *link = link_of(phase);
    site.facts = run->facts;
    site.result = run->result;
    for (int i = 0; link != NULL && i < 2; i++) {
        site.address[i] = address_of(run, &link->ends[i]);
    }
    const struct ng_volume *volume =
        phase->kind->volume != NULL ? phase->kind->volume(phase->params) : NULL;
    if (volume != NULL) {
        const struct ng_volume_state *state = &run->volumes[volume - run->plan->volumes];
        site.run_dir = state->dir;
        site.direct = state->direct;
        site.client_ram = run->facts[volume->on - run->plan->hosts]->ram;
        set_server(run, volume, &site);
    }
    return site;
}

struct ng_site ng_site_placeholder(struct ng_arena *arena, const struct ng_plan *plan,
    const struct ng_phase *phase, int repeat, uint64_t seed) {
    struct ng_site site = blank(arena, plan, phase, repeat, 1, seed);
    const struct ng_link *link = link_of(phase);
    for (int i = 0; link != NULL && i < 2; i++) {
        const struct ng_link_end *end = &link->ends[i];
        site.address[i] = end->address != NULL ? end->address
                                               : ng_arena_printf(arena, "<address of %s:%s>",
                                                     end->at.host->name, end->at.name);
    }
    const struct ng_volume *volume =
        phase->kind->volume != NULL ? phase->kind->volume(phase->params) : NULL;
    if (volume != NULL) {
        site.run_dir = ng_arena_printf(arena, "%s/nasgate-RUN", volume->path);
        site.direct = NG_ANSWER_YES;
    }
    return site;
}

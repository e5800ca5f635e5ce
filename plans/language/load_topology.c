/* load_topology.c - hosts, links and volumes, in this order, since each names what comes before. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

#include "plans/language/loader.h"
#include "plans/language/records.h"
#include "runner/base/units.h"

static void load_hosts(struct ng_loader *loader, const struct ng_node *node) {
    struct ng_plan *plan = loader->plan;
    if (!ng_check_items(loader, node, NG_NODE_MAP, "hosts")) {
        return;
    }
    if (node->count == 0) {
        ng_diag_error(loader->loading.diags, node->pos, "missing-key",
            "hosts: expected at least one host, as in \"nas: local\"");
    }
    struct ng_host *hosts = ng_arena_array(&plan->arena, node->count, sizeof *hosts);
    for (size_t i = 0; i < node->count; i++) {
        hosts[i].name = node->keys[i]->text;
        hosts[i].pos = node->keys[i]->pos;
        ng_check_name(loader, node->keys[i], "host");
        ng_load_host(loader, node->items[i], &hosts[i]);
        ng_names_add(&plan->host_names, hosts[i].name, &hosts[i]);
    }
    plan->hosts = hosts;
    plan->host_count = node->count;
}

/* An address goes to the engines as it is: only what is one may pass. */
static bool is_address(const char *text) {
    unsigned char bytes[sizeof(struct in6_addr)];
    char plain[INET6_ADDRSTRLEN];
    size_t len = strcspn(text, "%"); /* a zone, as in fe80::1%eth0, may follow */
    if (len >= sizeof plain || strlen(text) > len + 1 + 15) {
        return false;
    }
    memcpy(plain, text, len);
    plain[len] = '\0';
    return inet_pton(AF_INET6, plain, bytes) == 1 ||
           (text[len] == '\0' && inet_pton(AF_INET, plain, bytes) == 1);
}

static void check_addresses(
    struct ng_loader *loader, const struct ng_node *node, const struct ng_link *link) {
    struct ng_diags *diags = loader->loading.diags;
    const struct ng_node *ends = ng_node_get(node, "ends");
    for (size_t i = 0; i < NG_COUNT(link->ends); i++) {
        const char *address = link->ends[i].address;
        if (address && !is_address(address)) {
            ng_diag_error(diags, ng_field_place(ends->items[i], "address"), "value",
                "address: expected an IPv4 or IPv6 address such as 10.0.0.2, found %s",
                ng_diag_quote(diags, address));
        }
    }
}

/* A number that was written and refused is not missed as well. Plans with errors go nowhere, so
 * nobody else sees this. */
static int64_t stated(const struct ng_node *node, const char *field, int64_t value) {
    return value == 0 && ng_node_get(node, field) ? -1 : value;
}

static void load_links(struct ng_loader *loader, const struct ng_node *node) {
    struct ng_plan *plan = loader->plan;
    if (!ng_check_items(loader, node, NG_NODE_MAP, "links")) {
        return;
    }
    struct ng_link *links = ng_arena_array(&plan->arena, node->count, sizeof *links);
    for (size_t i = 0; i < node->count; i++) {
        struct ng_link_fields fields = {0};
        struct ng_link *link = &links[i];
        link->name = node->keys[i]->text;
        link->pos = node->keys[i]->pos;
        ng_check_name(loader, node->keys[i], "link");
        ng_record_load(&loader->loading, &ng_link_record, node->items[i], NULL, &fields);
        if (fields.ends.count == NG_COUNT(link->ends)) {
            memcpy(link->ends, fields.ends.items, sizeof link->ends);
            check_addresses(loader, node->items[i], link);
        }
        link->mtu = stated(node->items[i], "mtu", fields.mtu);
        link->speed = stated(node->items[i], "speed", fields.speed);
        ng_names_add(&plan->link_names, link->name, link);
    }
    plan->links = links;
    plan->link_count = node->count;
}

/* "128 KiB" becomes what mountinfo prints: "131072". Everything else stays as it is. */
static const char *option_value(struct ng_arena *arena, const char *text) {
    struct ng_quantity quantity;
    if (!ng_quantity_parse(text, &quantity, NULL) || !ng_dim_equal(quantity.dim, NG_DIM_SIZE) ||
        quantity.value >= 1e18) {
        return text;
    }
    return ng_arena_printf(arena, "%" PRId64, (int64_t)quantity.value);
}

static void settle_options(struct ng_arena *arena, struct ng_volume *volume) {
    if (!volume->mount || volume->mount->options.count == 0) {
        return;
    }
    struct ng_mount_spec *mount = ng_arena_alloc(arena, sizeof *mount);
    *mount = *volume->mount;
    size_t count = mount->options.count;
    struct ng_pair *pairs = ng_arena_array(arena, count, sizeof *pairs);
    for (size_t i = 0; i < count; i++) {
        pairs[i] = mount->options.items[i];
        pairs[i].value = option_value(arena, pairs[i].value);
    }
    mount->options.items = pairs;
    volume->mount = mount;
}

static void check_volume(
    struct ng_loader *loader, const struct ng_node *node, const struct ng_volume *volume) {
    struct ng_diags *diags = loader->loading.diags;
    if (volume->path && strcmp(volume->path, "/") == 0) {
        ng_diag_error(diags, ng_field_place(node, "path"), "path",
            "path: \"/\" cannot be a volume; name the folder where the volume is mounted");
    }
    const struct ng_link *link = volume->link;
    if (link && volume->on && link->ends[0].at.host && link->ends[1].at.host &&
        !ng_link_end_on(link, volume->on)) {
        ng_diag_error(diags, ng_field_place(node, "link"), "link",
            "link: %s has no end on host %s, which issues the I/O; it joins %s and %s", link->name,
            volume->on->name, link->ends[0].at.host->name, link->ends[1].at.host->name);
    }
}

static void load_volumes(struct ng_loader *loader, const struct ng_node *node) {
    struct ng_plan *plan = loader->plan;
    if (!ng_check_items(loader, node, NG_NODE_MAP, "volumes")) {
        return;
    }
    struct ng_volume *volumes = ng_arena_array(&plan->arena, node->count, sizeof *volumes);
    for (size_t i = 0; i < node->count; i++) {
        struct ng_volume *volume = &volumes[i];
        ng_check_name(loader, node->keys[i], "volume");
        ng_record_load(&loader->loading, &ng_volume_record, node->items[i], NULL, volume);
        volume->name = node->keys[i]->text;
        volume->pos = node->keys[i]->pos;
        settle_options(&plan->arena, volume);
        check_volume(loader, node->items[i], volume);
        ng_names_add(&plan->volume_names, volume->name, volume);
    }
    plan->volumes = volumes;
    plan->volume_count = node->count;
}

/* The sections of the topology are loaded by hand; this finds keys that are none of them. */
static void check_sections(struct ng_loader *loader, const struct ng_node *node) {
    const char *names[8] = {NULL};
    for (size_t i = 0; i < ng_topology_section_count; i++) {
        const struct ng_section *section = &ng_topology_sections[i];
        names[i] = section->name;
        if (section->required && !ng_node_get(node, section->name)) {
            ng_diag_error(loader->loading.diags, node->pos, "missing-key",
                "topology needs \"%s\": %s, as in \"hosts: {nas: local}\"", section->name,
                section->help);
        }
    }
    const struct ng_record record = {.name = "topology"};
    ng_record_load(&loader->loading, &record, node, names, NULL);
}

void ng_load_topology(struct ng_loader *loader, const struct ng_node *node) {
    struct ng_plan *plan = loader->plan;
    size_t errors = loader->loading.diags->errors;
    ng_names_init(&plan->host_names, &plan->arena);
    ng_names_init(&plan->link_names, &plan->arena);
    ng_names_init(&plan->volume_names, &plan->arena);
    if (ng_check_items(loader, node, NG_NODE_MAP, "topology")) {
        check_sections(loader, node);
        load_hosts(loader, ng_node_get(node, "hosts"));
        load_links(loader, ng_node_get(node, "links"));
        load_volumes(loader, ng_node_get(node, "volumes"));
    }
    loader->sound = loader->loading.diags->errors == errors;
}

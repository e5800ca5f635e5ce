/* load_host.c - one host: how it is reached, and what runs on it in another way. */
#include <string.h>
#include <strings.h>

#include "plans/language/loader.h"
#include "plans/language/records.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

enum { TARGET_MAX = 255, WORDS_MAX = 64, OPTION_MAX = 60, TOOL_MAX = 40 };

static void check_target(struct ng_loader *loader, const struct ng_node *node, const char *target) {
    struct ng_diags *diags = loader->loading.diags;
    const char *at = strrchr(target, '@');
    const char *why = NULL;
    if (target[0] == '\0' || strlen(target) > TARGET_MAX) {
        why = "it has 1 to 255 characters";
    } else if (target[0] == '-' || (at && at[1] == '-')) {
        why = "a name cannot begin with \"-\"";
    } else if (strspn(target, LETTERS DIGITS "._:@%/-[]") != strlen(target)) {
        why = "only letters, digits and . _ : @ % / - [ ] can stand in it";
    }
    if (why) {
        ng_diag_error(diags, ng_field_place(node, "target"), "value",
            "target: expected a target of ssh such as root@nas, found %s: %s",
            ng_diag_quote(diags, target), why);
    }
}

/* Options of ssh that nasgate sets itself; ssh compares without case. */
static bool is_ours(const char *option) {
    static const char *const ours[] = {"BatchMode", "ClearAllForwardings", "ControlMaster",
        "ControlPath", "ControlPersist", "ForwardAgent", "ForwardX11", "LocalCommand",
        "PermitLocalCommand", "RemoteCommand", "RequestTTY", "SessionType", "StdinNull",
        "ForkAfterAuthentication"};
    for (size_t i = 0; i < NG_COUNT(ours); i++) {
        if (strcasecmp(option, ours[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void check_options(struct ng_loader *loader, const struct ng_pairs *options) {
    struct ng_diags *diags = loader->loading.diags;
    for (size_t i = 0; i < options->count; i++) {
        const struct ng_pair *option = &options->items[i];
        const size_t len = strlen(option->key);
        if (strspn(option->key, LETTERS DIGITS) != len || len > OPTION_MAX ||
            strchr(DIGITS, option->key[0])) {
            ng_diag_error(diags, option->pos, "value",
                "options: %s is no option of ssh; see ssh_config(5)",
                ng_diag_quote(diags, option->key));
        } else if (is_ours(option->key)) {
            ng_diag_error(diags, option->pos, "value", "options: nasgate sets %s itself; remove it",
                option->key);
        } else if (strpbrk(option->value, "\n\r")) {
            ng_diag_error(diags, option->pos, "value",
                "options: the value of %s cannot have more than one line", option->key);
        }
    }
}

/* What belongs to ssh alone. */
static void check_ssh(
    struct ng_loader *loader, const struct ng_node *node, const struct ng_host *host) {
    struct ng_diags *diags = loader->loading.diags;
    if (host->via == NG_VIA_SSH) {
        if (host->target) {
            check_target(loader, node, host->target);
        } else {
            ng_diag_error(diags, node->pos, "missing-key",
                "a host by ssh needs \"target\", as in {via: ssh, target: root@nas}");
        }
        check_options(loader, &host->options);
        return;
    }
    if (host->target) {
        ng_diag_error(diags, ng_field_place(node, "target"), "via",
            "target: only ssh has one; write \"via: ssh\", or remove it");
    }
    if (host->options.count > 0) {
        ng_diag_error(diags, ng_field_place(node, "options"), "via",
            "options: they are for ssh; write \"via: ssh\", or remove them");
    }
}

static bool is_plain_word(const char *word) {
    return word[0] != '\0' && word[0] != '-' && !strpbrk(word, "\n\t");
}

static void check_prefix(
    struct ng_loader *loader, const struct ng_node *node, const struct ng_host *host) {
    struct ng_diags *diags = loader->loading.diags;
    const struct ng_pos pos = ng_field_place(node, "via");
    if (host->via != NG_VIA_PREFIX) {
        if (host->prefix.count > 0) {
            ng_diag_error(diags, pos, "via",
                "via: \"prefix\" goes alone, as in {prefix: [ip, netns, exec, nas]}");
        }
    } else if (host->prefix.count == 0) {
        ng_diag_error(diags, pos, "via",
            "via: expected the words before each command, as in {prefix: [ip, netns, exec, nas]}");
    } else if (host->prefix.count > WORDS_MAX || !is_plain_word(host->prefix.items[0])) {
        ng_diag_error(diags, pos, "value",
            "prefix: expected a program and its arguments, at most %d words", WORDS_MAX);
    }
}

/* A terminal would change every output, and there is none. */
static const char *terminal_word(const struct ng_texts *words) {
    const char *program = strrchr(words->items[0], '/');
    program = program ? program + 1 : words->items[0];
    if (strcmp(program, "docker") != 0 && strcmp(program, "podman") != 0) {
        return NULL;
    }
    for (size_t i = 1; i < words->count; i++) {
        const char *word = words->items[i];
        if (strcmp(word, "-t") == 0 || strcmp(word, "-it") == 0 || strcmp(word, "-ti") == 0 ||
            strcmp(word, "--tty") == 0) {
            return word;
        }
    }
    return NULL;
}

static void check_tools(struct ng_loader *loader, const struct ng_host *host) {
    struct ng_diags *diags = loader->loading.diags;
    for (size_t i = 0; i < host->tools.count; i++) {
        const struct ng_argv_item *tool = &host->tools.items[i];
        const size_t len = strlen(tool->key);
        if (strspn(tool->key, LETTERS DIGITS "._+-") != len || len > TOOL_MAX ||
            strchr("-.+", tool->key[0])) {
            ng_diag_error(diags, tool->pos, "value", "tools: %s is no name of a tool, as fio is",
                ng_diag_quote(diags, tool->key));
        } else if (tool->words.count == 0 || tool->words.count > WORDS_MAX ||
                   !is_plain_word(tool->words.items[0])) {
            ng_diag_error(diags, tool->pos, "value",
                "tools: %s: expected a program and its arguments, at most %d words", tool->key,
                WORDS_MAX);
        } else if (terminal_word(&tool->words)) {
            ng_diag_error(diags, tool->pos, "value",
                "tools: %s: \"%s\" asks for a terminal, and there is none; remove it", tool->key,
                terminal_word(&tool->words));
        }
    }
}

void ng_load_host(struct ng_loader *loader, const struct ng_node *node, struct ng_host *host) {
    struct ng_host_fields fields = {0};
    if (!ng_record_load(&loader->loading, &ng_host_record, node, NULL, &fields)) {
        return;
    }
    host->via = fields.via->how;
    host->prefix = fields.via->prefix;
    host->target = fields.target;
    host->options = fields.options;
    host->privilege = fields.privilege;
    host->facts_within_ns = fields.facts_within_ns;
    host->tools = fields.tools;
    check_ssh(loader, node, host);
    check_prefix(loader, node, host);
    check_tools(loader, host);
}

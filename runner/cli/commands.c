/* The table of sub-commands. */
#include "runner/cli/cli.h"

const struct ng_command_row *const ng_commands_table[] = {
    &ng_command_check,
    &ng_command_doctor,
    &ng_command_facts,
    &ng_command_lua,
    &ng_command_metrics,
    &ng_command_probe_mtu,
    &ng_command_replay,
    &ng_command_report,
    &ng_command_run,
    &ng_command_schema,
    &ng_command_show,
    &ng_command_verify,
};
const size_t ng_commands_table_count = NG_COUNT(ng_commands_table);

/* The table of engines and the tables of each: sorted, unique, documented. */
#include "tests/unit/engines/lab.h"

#include "runner/base/units.h"

static void engines_are_sorted_and_found(void **state) {
    (void)state;
    assert_true(ng_engine_count >= 3);
    for (size_t i = 0; i < ng_engine_count; i++) {
        const struct ng_engine *engine = ng_engines[i];
        assert_true(
            i == 0 || strcmp(ng_engines[i - 1]->kind.record.name, engine->kind.record.name) < 0);
        assert_ptr_equal(ng_engine_of(&engine->kind), engine);
        assert_non_null(engine->build);
        assert_non_null(engine->parse);
        assert_non_null(engine->hosts);
        assert_non_null(engine->kind.check);
        assert_non_null(engine->kind.estimate);
        assert_true((engine->tool.tool != NULL) == (engine->tool.package != NULL));
        assert_true(engine->tool.tool != NULL || engine->kind.own_metrics != NULL);
    }
    struct ng_kind other = {0};
    assert_null(ng_engine_of(&other));
}

static void metrics_are_unique_and_documented(void **state) {
    (void)state;
    for (size_t i = 0; i < ng_engine_count; i++) {
        const struct ng_kind *kind = &ng_engines[i]->kind;
        assert_true(kind->metric_count > 0 || kind->own_metrics != NULL);
        for (size_t m = 0; m < kind->metric_count; m++) {
            const struct ng_metric_def *metric = &kind->metrics[m];
            assert_true(strlen(metric->meaning) > 5);
            assert_true(strlen(metric->source) > 3);
            assert_ptr_equal(ng_kind_metric(kind, metric->name), metric);
        }
    }
}

static void fields_fit_and_are_documented(void **state) {
    (void)state;
    for (size_t i = 0; i < ng_engine_count; i++) {
        const struct ng_record *record = &ng_engines[i]->kind.record;
        for (size_t f = 0; f < record->count; f++) {
            const struct ng_field *field = &record->fields[f];
            assert_true(field->offset < record->size);
            assert_true(strlen(field->help) > 5);
            assert_true(field->help[strlen(field->help) - 1] != '.');
            assert_true(field->fallback == NULL || (field->flags & NG_REQUIRED) == 0);
            assert_true(field->type != NG_FIELD_CHOICE || field->choices != NULL);
            for (size_t g = 0; g < f; g++) {
                assert_string_not_equal(field->name, record->fields[g].name);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_are_sorted_and_found),
        cmocka_unit_test(metrics_are_unique_and_documented),
        cmocka_unit_test(fields_fit_and_are_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

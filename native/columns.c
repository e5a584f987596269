#include "columns.h"

enum { nullable, not_null };

typedef struct {
    int number;
    const char* name;
    Oid type; /* or a domain over it */
    bool not_null;
} column;

#define COLUMN(table, number, name, type, null) {number, #name, type, null},
static const column worker_known[] = {WORKER_COLUMNS(COLUMN)};
static const column consumer_known[] = {CONSUMER_COLUMNS(COLUMN)};
static const column lease_known[] = {LEASE_COLUMNS(COLUMN)};
static const column message_known[] = {MESSAGE_COLUMNS(COLUMN)};

static const struct {
    char kind;
    const column* columns;
    int count;
} known[] = {[the_worker] = {RELKIND_RELATION, worker_known, lengthof(worker_known)},
             [the_consumer] = {RELKIND_RELATION, consumer_known, lengthof(consumer_known)},
             [the_lease] = {RELKIND_RELATION, lease_known, lengthof(lease_known)},
             [the_log] = {RELKIND_PARTITIONED_TABLE, message_known, lengthof(message_known)},
             [a_partition] = {RELKIND_RELATION, message_known, lengthof(message_known)}};

static const char* trouble_with_column(Relation table, const column* expected) {
    const TupleDesc row = RelationGetDescr(table);
    const char* of = RelationGetRelationName(table);
    int16 length = 0;
    bool by_value = false;
    const Form_pg_attribute found =
        expected->number > row->natts ? NULL : TupleDescAttr(row, expected->number - 1);
    if (found == NULL || found->attisdropped ||
        strcmp(NameStr(found->attname), expected->name) != 0) {
        return psprintf("%s has no column %s at position %d", of, expected->name, expected->number);
    }
    get_typlenbyval(expected->type, &length, &by_value);
    if (getBaseType(found->atttypid) != expected->type || found->attlen != length ||
        found->attbyval != by_value) {
        return psprintf("%s.%s is %s, not %s", of, expected->name, format_type_be(found->atttypid),
                        format_type_be(expected->type));
    }
    if (found->attgenerated != '\0') {
        return psprintf("%s.%s is generated", of, expected->name);
    }
    if (expected->not_null && !is_never_null(row, expected->number)) {
        return psprintf("%s.%s may be null", of, expected->name);
    }
    return NULL;
}

const char* trouble_with(Relation table, known_table expected) {
    const char* name = RelationGetRelationName(table);
    const char kind = known[expected].kind;
    if (table->rd_rel->relkind != kind) {
        return psprintf("%s is of the kind \"%c\", not \"%c\"", name, table->rd_rel->relkind, kind);
    }
    /* Row security policies are applied by the executor only. */
    if (table->rd_rel->relrowsecurity) {
        return psprintf("%s has row level security", name);
    }
    if (kind == RELKIND_RELATION && table->rd_rel->relhassubclass) {
        return psprintf("%s has tables that inherit from it", name);
    }
    const char* trouble = NULL;
    for (int i = 0; i < known[expected].count && trouble == NULL; ++i) {
        trouble = trouble_with_column(table, &known[expected].columns[i]);
    }
    return trouble;
}

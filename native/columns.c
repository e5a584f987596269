#include "postgres.h"

#include "columns.h"

#include "catalog/pg_type_d.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "versions.h"

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

static const char* trouble_with(Relation table, char kind, const column* known, int count) {
    if (table->rd_rel->relkind != kind) {
        return psprintf("%s is of the kind \"%c\", not \"%c\"", RelationGetRelationName(table),
                        table->rd_rel->relkind, kind);
    }
    /* Policies are for the executor to apply. */
    if (table->rd_rel->relrowsecurity) {
        return psprintf("%s has row level security", RelationGetRelationName(table));
    }
    if (kind == RELKIND_RELATION && table->rd_rel->relhassubclass) {
        return psprintf("%s has tables that inherit from it", RelationGetRelationName(table));
    }
    for (int i = 0; i < count; ++i) {
        const char* trouble = trouble_with_column(table, &known[i]);
        if (trouble != NULL) {
            return trouble;
        }
    }
    return NULL;
}

const char* trouble_with_worker(Relation table) {
    return trouble_with(table, RELKIND_RELATION, worker_known, lengthof(worker_known));
}

const char* trouble_with_consumer(Relation table) {
    return trouble_with(table, RELKIND_RELATION, consumer_known, lengthof(consumer_known));
}

const char* trouble_with_lease(Relation table) {
    return trouble_with(table, RELKIND_RELATION, lease_known, lengthof(lease_known));
}

const char* trouble_with_log(Relation table) {
    return trouble_with(table, RELKIND_PARTITIONED_TABLE, message_known, lengthof(message_known));
}

const char* trouble_with_partition(Relation table) {
    return trouble_with(table, RELKIND_RELATION, message_known, lengthof(message_known));
}

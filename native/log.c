#include "postgres.h"

#include "log.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/nbtree.h"
#include "access/skey.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_am_d.h"
#include "miscadmin.h"
#include "partitioning/partbounds.h"
#include "partitioning/partdesc.h"
#include "utils/fmgroids.h"
#include "utils/snapmgr.h"

/* More than these are left to SQL: it is slow then in any case. */
enum { most_partitions = 8, most_late = 64 };

/* Messages behind (from_xid, from_seq) of transactions before `before`. */
typedef struct {
    uint64 from_xid;
    int64 from_seq;
    uint64 before;
} xid_range;

typedef struct {
    Relation table;
    Relation index;
    IndexScanDesc scan;
    TupleTableSlot* row; /* the next one, unless it is empty */
    ScanKeyData keys[3];
    ScanKeyData behind[2]; /* (xid, seq), which the second key points to */
} log_partition;

struct log_reader {
    const stored_snapshot* open;
    TimestampTz low; /* bounds of published_at, an hour of slack included */
    TimestampTz high;
    Datum channel;
    int partition_count;
    log_partition partitions[most_partitions];
    log_partition* last; /* whose row was handed out */
    int late_count;      /* ranges of late committers, which come first */
    int range_count;
    int range; /* which one is being read */
    xid_range ranges[most_late + 1];
};

static TimestampTz earlier(TimestampTz at) {
    return TIMESTAMP_NOT_FINITE(at) ? at : at - USECS_PER_HOUR;
}

static TimestampTz later(TimestampTz at) {
    return TIMESTAMP_NOT_FINITE(at) ? at : at + USECS_PER_HOUR;
}

/* Late committers first, one by one: what was in progress in `done` and is not in `open`. Their
 * xids are lower than those of the rest, which is one range. Never from an old xmin: a long
 * transaction would make every claim read its whole age. */
static bool find_ranges(log_reader* reader, const cursor* from) {
    const stored_snapshot* done = from->done;
    const uint64 rest = Max(from->from_xid, done->xmax);
    if (from->from_xid < done->xmax) {
        for (uint32 i = 0; i < done->in_progress_count; ++i) {
            const uint64 xid = done->in_progress[i];
            if (xid < from->from_xid || !shows(from->open, xid)) {
                continue;
            }
            if (reader->range_count == most_late) {
                return false;
            }
            reader->ranges[reader->range_count++] =
                (xid_range){xid, xid == from->from_xid ? from->from_seq : 0, xid + 1};
        }
    }
    reader->late_count = reader->range_count;
    if (rest < from->open->xmax) {
        reader->ranges[reader->range_count++] =
            (xid_range){rest, from->from_xid >= done->xmax ? from->from_seq : 0, from->open->xmax};
    }
    return true;
}

static bool orders_the_log(Relation index) {
    const Form_pg_index form = index->rd_index;
    return index->rd_rel->relam == BTREE_AM_OID && form->indisvalid && form->indnkeyatts == 3 &&
           form->indkey.values[0] == message_channel && form->indkey.values[1] == message_xid &&
           form->indkey.values[2] == message_seq &&
           heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL);
}

static Relation open_log_index(Relation table) {
    List* indexes = RelationGetIndexList(table);
    ListCell* cell = NULL;
    Relation found = NULL;
    foreach (cell, indexes) {
        Relation index = index_open(lfirst_oid(cell), AccessShareLock);
        if (orders_the_log(index)) {
            found = index;
            break;
        }
        index_close(index, NoLock);
    }
    list_free(indexes);
    return found;
}

static bool add_partition(log_reader* reader, Oid id) {
    log_partition* added = &reader->partitions[reader->partition_count];
    added->table = table_open(id, AccessShareLock);
    added->index = is_log(added->table) ? open_log_index(added->table) : NULL;
    if (added->index == NULL) {
        table_close(added->table, NoLock);
        return false;
    }
    added->row = table_slot_create(added->table, NULL);
    added->scan = index_beginscan(added->table, added->index, GetActiveSnapshot(), 3, 0);
    ++reader->partition_count;
    return true;
}

/* Those in which something between low and high can be. Partition i ends where bound i is and
 * begins where the one before is. */
static int choose_partitions(Relation message, const log_reader* reader, Oid* chosen) {
    const PartitionDesc parts = RelationGetPartitionDesc(message, true);
    const PartitionBoundInfo bounds = parts->boundinfo;
    int count = 0;
    for (int i = 0; i < bounds->nindexes; ++i) {
        const bool begins_before = i == 0 ||
                                   bounds->kind[i - 1][0] == PARTITION_RANGE_DATUM_MINVALUE ||
                                   (bounds->kind[i - 1][0] == PARTITION_RANGE_DATUM_VALUE &&
                                    DatumGetTimestampTz(bounds->datums[i - 1][0]) < reader->high);
        const bool ends_after = i == bounds->ndatums ||
                                bounds->kind[i][0] == PARTITION_RANGE_DATUM_MAXVALUE ||
                                (bounds->kind[i][0] == PARTITION_RANGE_DATUM_VALUE &&
                                 DatumGetTimestampTz(bounds->datums[i][0]) > reader->low);
        if (bounds->indexes[i] < 0 || !begins_before || !ends_after) {
            continue;
        }
        if (count == most_partitions) {
            return -1;
        }
        chosen[count++] = parts->oids[bounds->indexes[i]];
    }
    return count;
}

static void begin_range(log_reader* reader, log_partition* part) {
    const xid_range* range = &reader->ranges[reader->range];
    ScanKeyEntryInitialize(&part->keys[0], 0, 1, BTEqualStrategyNumber, InvalidOid,
                           part->index->rd_indcollation[0], F_TEXTEQ, reader->channel);
    ScanKeyEntryInitialize(&part->behind[0], SK_ROW_MEMBER, 2, BTGreaterStrategyNumber, InvalidOid,
                           InvalidOid, F_XID8CMP, UInt64GetDatum(range->from_xid));
    ScanKeyEntryInitialize(&part->behind[1], SK_ROW_MEMBER | SK_ROW_END, 3, BTGreaterStrategyNumber,
                           InvalidOid, InvalidOid, F_BTINT8CMP, Int64GetDatum(range->from_seq));
    MemSet(&part->keys[1], 0, sizeof(ScanKeyData));
    part->keys[1].sk_flags = SK_ROW_HEADER;
    part->keys[1].sk_attno = 2;
    part->keys[1].sk_strategy = BTGreaterStrategyNumber;
    part->keys[1].sk_argument = PointerGetDatum(part->behind);
    ScanKeyEntryInitialize(&part->keys[2], 0, 2, BTLessStrategyNumber, InvalidOid, InvalidOid,
                           F_XID8LT, UInt64GetDatum(range->before));
    index_rescan(part->scan, part->keys, 3, NULL, 0);
}

static uint64 xid_of(const TupleTableSlot* row) {
    return DatumGetUInt64(value_of(row, message_xid));
}

/* Goes to the next message of the segment in this partition; its row is empty if there is none. */
static void move_on(const log_reader* reader, log_partition* part) {
    while (index_getnext_slot(part->scan, ForwardScanDirection, part->row)) {
        slot_getallattrs(part->row);
        const TimestampTz published_at =
            DatumGetTimestampTz(value_of(part->row, message_published_at));
        if (shows(reader->open, xid_of(part->row)) && published_at >= reader->low &&
            published_at < reader->high) {
            return;
        }
        CHECK_FOR_INTERRUPTS();
    }
    ExecClearTuple(part->row);
}

static bool is_before(const TupleTableSlot* left, const TupleTableSlot* right) {
    if (xid_of(left) != xid_of(right)) {
        return xid_of(left) < xid_of(right);
    }
    return DatumGetInt64(value_of(left, message_seq)) < DatumGetInt64(value_of(right, message_seq));
}

static void enter_range(log_reader* reader) {
    for (int i = 0; i < reader->partition_count; ++i) {
        begin_range(reader, &reader->partitions[i]);
        move_on(reader, &reader->partitions[i]);
    }
}

log_reader* open_log(Relation message, const cursor* from) {
    log_reader* reader = palloc0(sizeof(log_reader));
    Oid chosen[most_partitions];
    reader->open = from->open;
    reader->low = earlier(from->floor_at);
    reader->high = later(from->ceiling_at);
    reader->channel = value_of(from->consumer, consumer_channel);
    int count = find_ranges(reader, from) ? choose_partitions(message, reader, chosen) : -1;
    for (int i = 0; i < count; ++i) {
        count = add_partition(reader, chosen[i]) ? count : -1;
    }
    if (count < 0) {
        close_log(reader);
        return NULL;
    }
    if (reader->range_count > 0) {
        enter_range(reader);
    }
    return reader;
}

TupleTableSlot* next_message(log_reader* reader) {
    if (reader->last != NULL) {
        move_on(reader, reader->last);
        reader->last = NULL;
    }
    while (reader->range < reader->range_count) {
        for (int i = 0; i < reader->partition_count; ++i) {
            log_partition* part = &reader->partitions[i];
            if (!TTS_EMPTY(part->row) &&
                (reader->last == NULL || is_before(part->row, reader->last->row))) {
                reader->last = part;
            }
        }
        if (reader->last != NULL) {
            return reader->last->row;
        }
        if (++reader->range < reader->range_count) {
            enter_range(reader);
        }
    }
    return NULL;
}

bool is_late(const log_reader* reader) { return reader->range < reader->late_count; }

void close_log(log_reader* reader) {
    for (int i = 0; i < reader->partition_count; ++i) {
        log_partition* part = &reader->partitions[i];
        index_endscan(part->scan);
        ExecDropSingleTupleTableSlot(part->row);
        index_close(part->index, NoLock);
        table_close(part->table, NoLock);
    }
    pfree(reader);
}

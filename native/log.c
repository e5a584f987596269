#include "log.h"

#include "partitioning/partbounds.h"
#include "partitioning/partdesc.h"
#include "utils/partcache.h"

/* Beyond these limits SQL makes the claim, which is slow in any case. most_passed_over and SCAN_MS
 * correspond to scan_time() in SQL, by count and by time. */
enum { most_partitions = 8, most_late = 64, most_passed_over = 5000 };
#ifndef SCAN_MS /* a server with assertions or valgrind needs more: README.md */
#define SCAN_MS 100
#endif
enum { scan_keys = 3 };

/* Messages behind (from_xid, from_seq) and up to (to_xid, to_seq). */
typedef struct {
    uint64 from_xid;
    int64 from_seq;
    uint64 to_xid;
    int64 to_seq;
} log_range;

typedef struct {
    keyed_table in;
    IndexScanDesc scan;
    TupleTableSlot* row; /* the next one, unless it is empty */
    ScanKeyData keys[scan_keys];
    ScanKeyData from[2]; /* (xid, seq), which the second key points to */
    ScanKeyData to[2];   /* and the third */
} log_partition;

struct log_reader {
    const stored_snapshot* open;
    TimestampTz low; /* bounds of published_at, an hour of slack included */
    TimestampTz high;
    Datum channel;
    int partition_count;
    log_partition partitions[most_partitions];
    log_partition* last; /* the partition whose row was returned last */
    int late_count;      /* ranges of late committers, which come first */
    int range_count;
    int range; /* the range that is being read */
    log_range ranges[most_late + 1];
    ScanDirection direction;
    bool has_snapshot;
    int passed_over;
    bool far; /* the limit of messages or time is reached */
    TimestampTz stop;
};

static TimestampTz moved(TimestampTz at, int64 by) {
    return TIMESTAMP_NOT_FINITE(at) ? at : at + by;
}

/* One range per late committer first: transactions in progress in `done` and not in `open`. Their
 * xids are lower than those of the rest, which is one range. A range from an old xmin on would make
 * every claim reread the log since a long transaction began. */
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
                (log_range){xid, xid == from->from_xid ? from->from_seq : 0, xid, PG_INT64_MAX};
        }
    }
    reader->late_count = reader->range_count;
    if (rest < from->open->xmax) {
        reader->ranges[reader->range_count++] =
            (log_range){rest, from->from_xid >= done->xmax ? from->from_seq : 0,
                        from->open->xmax - 1, PG_INT64_MAX};
    }
    return true;
}

/* NULL, or why partitions with these bounds cannot be chosen from. */
static const char* trouble_with_bounds(Relation message, PartitionBoundInfo bounds) {
    const PartitionKey key = RelationGetPartitionKey(message);
    if (key->strategy != PARTITION_STRATEGY_RANGE || key->partnatts != 1 ||
        key->partattrs[0] != message_published_at) {
        return "message is not partitioned by ranges of published_at";
    }
    if (bounds == NULL) {
        return "message has no partitions";
    }
    return partition_bound_has_default(bounds) ? "message has a default partition" : NULL;
}

const char* trouble_with_log(Relation message) {
    const PartitionDesc parts = RelationGetPartitionDesc(message, true);
    const char* trouble = trouble_with_bounds(message, parts->boundinfo);
    for (int i = 0; i < parts->nparts && trouble == NULL; ++i) {
        keyed_table part;
        trouble = open_partition(parts->oids[i], &part);
        if (trouble == NULL) {
            close_table(&part);
        }
    }
    return trouble;
}

static TimestampTz bound_at(PartitionBoundInfo bounds, int i) {
    switch (bounds->kind[i][0]) {
        case PARTITION_RANGE_DATUM_MINVALUE:
            return DT_NOBEGIN;
        case PARTITION_RANGE_DATUM_MAXVALUE:
            return DT_NOEND;
        default:
            return DatumGetTimestampTz(bounds->datums[i][0]);
    }
}

/* The partitions that can hold a message between low and high. Partition i ends at bound i and
 * begins at the one before. */
static int choose_partitions(Relation message, const log_reader* reader, Oid* chosen) {
    const PartitionDesc parts = RelationGetPartitionDesc(message, true);
    const PartitionBoundInfo bounds = parts->boundinfo;
    int count = 0;
    if (trouble_with_bounds(message, bounds) != NULL) {
        return -1;
    }
    for (int i = 0; i < bounds->nindexes; ++i) {
        const TimestampTz begins = i == 0 ? DT_NOBEGIN : bound_at(bounds, i - 1);
        const TimestampTz ends = i == bounds->ndatums ? DT_NOEND : bound_at(bounds, i);
        if (bounds->indexes[i] < 0 || begins >= reader->high || ends <= reader->low) {
            continue;
        }
        if (count == most_partitions) {
            return -1;
        }
        chosen[count++] = parts->oids[bounds->indexes[i]];
    }
    return count;
}

/* A key that compares (xid, seq) with a position. */
static ScanKeyData compare_with(ScanKey parts, StrategyNumber how, uint64 xid, int64 seq) {
    ScanKeyEntryInitialize(&parts[0], SK_ROW_MEMBER, 2, how, InvalidOid, InvalidOid, F_XID8CMP,
                           UInt64GetDatum(xid));
    ScanKeyEntryInitialize(&parts[1], SK_ROW_MEMBER | SK_ROW_END, 3, how, InvalidOid, InvalidOid,
                           F_BTINT8CMP, Int64GetDatum(seq));
    return (ScanKeyData){.sk_flags = SK_ROW_HEADER,
                         .sk_attno = 2,
                         .sk_strategy = how,
                         .sk_argument = PointerGetDatum(parts)};
}

static void begin_range(log_reader* reader, log_partition* part) {
    const log_range* range = &reader->ranges[reader->range];
    ScanKeyEntryInitialize(&part->keys[0], 0, 1, BTEqualStrategyNumber, InvalidOid,
                           part->in.key->rd_indcollation[0], F_TEXTEQ, reader->channel);
    part->keys[1] =
        compare_with(part->from, BTGreaterStrategyNumber, range->from_xid, range->from_seq);
    if (range->to_seq == PG_INT64_MAX) { /* a comparison of xid alone is cheaper */
        ScanKeyEntryInitialize(&part->keys[2], 0, 2, BTLessEqualStrategyNumber, InvalidOid,
                               InvalidOid, F_XID8LE, UInt64GetDatum(range->to_xid));
    } else {
        part->keys[2] =
            compare_with(part->to, BTLessEqualStrategyNumber, range->to_xid, range->to_seq);
    }
    index_rescan(part->scan, part->keys, scan_keys, NULL, 0);
}

static uint64 xid_of(const TupleTableSlot* row) {
    return DatumGetUInt64(value_of(row, message_xid));
}

void pass_over(log_reader* reader) {
    enum { rows_per_look = 64 };
    if (++reader->passed_over == most_passed_over ||
        (reader->passed_over % rows_per_look == 0 && GetCurrentTimestamp() > reader->stop)) {
        reader->far = true;
    }
}

bool ran_far(const log_reader* reader) { return reader->far; }

/* Goes to the next message of the segment in this partition; its row is empty if there is none. */
static void move_on(log_reader* reader, log_partition* part) {
    while (!reader->far && index_getnext_slot(part->scan, reader->direction, part->row)) {
        slot_getallattrs(part->row);
        const TimestampTz published_at =
            DatumGetTimestampTz(value_of(part->row, message_published_at));
        if (shows(reader->open, xid_of(part->row)) && published_at >= reader->low &&
            published_at < reader->high) {
            return;
        }
        pass_over(reader);
        CHECK_FOR_INTERRUPTS();
    }
    ExecClearTuple(part->row);
}

/* Whether the left one comes first in the direction of the reader. */
static bool comes_first(const log_reader* reader, const TupleTableSlot* left,
                        const TupleTableSlot* right) {
    const bool before = xid_of(left) != xid_of(right)
                            ? xid_of(left) < xid_of(right)
                            : DatumGetInt64(value_of(left, message_seq)) <
                                  DatumGetInt64(value_of(right, message_seq));
    return before == ScanDirectionIsForward(reader->direction);
}

static void enter_range(log_reader* reader) {
    for (int i = 0; i < reader->partition_count; ++i) {
        begin_range(reader, &reader->partitions[i]);
        move_on(reader, &reader->partitions[i]);
    }
}

static bool open_partitions(log_reader* reader, const Oid* chosen, int count) {
    for (int i = 0; i < count; ++i) {
        if (open_partition(chosen[i], &reader->partitions[i].in) != NULL) {
            return false;
        }
        ++reader->partition_count;
    }
    return count >= 0;
}

static void begin_scans(log_reader* reader) {
    PushActiveSnapshot(GetTransactionSnapshot());
    reader->has_snapshot = true;
    for (int i = 0; i < reader->partition_count; ++i) {
        log_partition* part = &reader->partitions[i];
        part->row = table_slot_create(part->in.table, NULL);
        part->scan = begin_index_scan(part->in.table, part->in.key, GetActiveSnapshot(), scan_keys);
    }
}

static log_reader* make_reader(const cursor* from) {
    log_reader* reader = palloc0(sizeof(log_reader));
    reader->open = from->open;
    reader->low = moved(from->floor_at, -USECS_PER_HOUR);
    reader->high = moved(from->ceiling_at, USECS_PER_HOUR);
    reader->channel = value_of(from->consumer, consumer_channel);
    reader->stop = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), SCAN_MS);
    reader->direction = ForwardScanDirection;
    return reader;
}

/* NULL if the partitions are not as expected; the reader is closed then. */
static log_reader* begin_reading(log_reader* reader, Relation message) {
    Oid chosen[most_partitions];
    if (!open_partitions(reader, chosen, choose_partitions(message, reader, chosen))) {
        close_log(reader);
        return NULL;
    }
    begin_scans(reader);
    if (reader->range_count > 0) {
        enter_range(reader);
    }
    return reader;
}

log_reader* open_log(Relation message, const cursor* from) {
    log_reader* reader = make_reader(from);
    if (!find_ranges(reader, from)) {
        close_log(reader);
        return NULL;
    }
    return begin_reading(reader, message);
}

log_reader* open_log_backward(Relation message, const cursor* from, uint64 to_xid, int64 to_seq) {
    log_reader* reader = make_reader(from);
    reader->direction = BackwardScanDirection;
    if (!find_ranges(reader, from) || reader->late_count > 0) {
        close_log(reader);
        return NULL;
    }
    if (reader->range_count > 0 && to_xid <= reader->ranges[0].to_xid) {
        reader->ranges[0].to_xid = to_xid;
        reader->ranges[0].to_seq = to_seq;
    }
    return begin_reading(reader, message);
}

TupleTableSlot* next_message(log_reader* reader) {
    if (reader->last != NULL) {
        move_on(reader, reader->last);
        reader->last = NULL;
    }
    while (!reader->far && reader->range < reader->range_count) {
        for (int i = 0; i < reader->partition_count; ++i) {
            log_partition* part = &reader->partitions[i];
            if (!TTS_EMPTY(part->row) &&
                (reader->last == NULL || comes_first(reader, part->row, reader->last->row))) {
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
        if (part->scan != NULL) {
            index_endscan(part->scan);
            ExecDropSingleTupleTableSlot(part->row);
        }
        close_table(&part->in);
    }
    if (reader->has_snapshot) {
        PopActiveSnapshot();
    }
    pfree(reader);
}

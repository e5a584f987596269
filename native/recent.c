#include "postgres.h"

#include "recent.h"

#include "utils/memutils.h"

/* A worker holds a few leases at once. */
enum { kept = 4 };

static recent_lease recent[kept];
static int newest;

static void make_room(recent_lease* lease, int count) {
    if (lease->room >= count) {
        return;
    }
    lease->id = 0;
    lease->room = 0;
    if (lease->seqs != NULL) {
        pfree(lease->seqs);
        lease->seqs = NULL;
    }
    if (lease->places != NULL) {
        pfree(lease->places);
        lease->places = NULL;
    }
    lease->seqs = MemoryContextAlloc(TopMemoryContext, sizeof(int64) * count);
    lease->places = MemoryContextAlloc(TopMemoryContext, sizeof(place) * count);
    lease->room = count;
}

void remember_lease(const lease_ref* lease, const row_version* version, const handed_out* what) {
    newest = (newest + 1) % kept;
    recent_lease* kept_lease = &recent[newest];
    make_room(kept_lease, what->count);
    kept_lease->id = lease->id;
    kept_lease->version = *version;
    kept_lease->count = what->count;
    memcpy(kept_lease->seqs, what->seqs, sizeof(int64) * what->count);
    memcpy(kept_lease->places, what->places, sizeof(place) * what->count);
}

const recent_lease* recall_lease(TupleTableSlot* lease) {
    const row_version version = version_of(lease);
    for (int i = 0; i < kept; ++i) {
        if (recent[i].id != 0 && recent[i].id == DatumGetInt64(value_of(lease, lease_id)) &&
            same_version(&recent[i].version, &version)) {
            return &recent[i];
        }
    }
    return NULL;
}

const place* find_member(const recent_lease* lease, int64 seq, int* at) {
    int here = *at;
    while (here < lease->count && lease->seqs[here] != seq) {
        ++here;
    }
    if (here == lease->count) {
        for (here = 0; here < *at && lease->seqs[here] != seq; ++here) {
        }
        if (here == *at) {
            return NULL;
        }
    }
    *at = here + 1;
    return &lease->places[here];
}

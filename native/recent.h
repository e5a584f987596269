/* The leases that this session made last: what fails of them need not be searched for. */
#pragma once

#include "lease.h"

typedef struct {
    int64 id; /* 0: none */
    row_version version;
    int count;
    int room;
    int64* seqs; /* its members */
    place* places;
} recent_lease;

extern void remember_lease(const lease_ref* lease, const row_version* version,
                           const handed_out* what);

/* NULL: it is not one of them, or was changed since. */
extern const recent_lease* recall_lease(TupleTableSlot* lease);

/* Where the message is; NULL: it is not a member. *at is where the search begins and, behind what
 * it found, where the next one does: reports have the order of the lease. */
extern const place* find_member(const recent_lease* lease, int64 seq, int* at);

/* A place in the log, as the type postrider.position has it. */
#pragma once

#include "snapshot.h"

typedef struct {
    const stored_snapshot* done;
    const stored_snapshot* open;
    uint64 xid;
    int64 seq;
} position;

/* False: a part of it is null. */
extern bool position_in(Datum value, position* into);

/* Whether a message does not lie before it: not covers() in SQL. */
extern bool is_after(const position* at, uint64 xid, int64 seq);

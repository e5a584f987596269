/* Gathering the messages of a claim. */
#pragma once

#include "postgres.h"

#include "in_sql.h"
#include "nodes/execnodes.h"

typedef struct {
    handed_out what;
    bytea* messages;  /* the last ones, packed; those before are in the answer already */
    bool late;        /* they were published by late committers */
    bool passed_over; /* the segment has messages that are not for this consumer */
} harvest;

/* The next messages behind the cursor, at most `limit`. False: one of the first has to be looked at
 * by itself, or the log cannot be read here; then nothing is in the answer. */
extern bool gather(Relation message, const cursor* from, int limit, ReturnSetInfo* answer,
                   harvest* found);

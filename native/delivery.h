/* Deliveries of their own, for messages whose first attempt has failed. */
#pragma once

#include "failures.h"
#include "tables.h"
#include "utils/timestamp.h"

/* A row with what is the same for all failures of a report. */
extern TupleTableSlot* first_failure(failure_tables* tables, const TupleTableSlot* handler,
                                     TimestampTz now);

/* The delivery of one of them, as park_ended() in SQL makes it. */
extern TupleTableSlot* failed_delivery(const TupleTableSlot* same, const TupleTableSlot* message,
                                       const failure* what, TimestampTz available_at);

/* Gives them their ids and writes them. */
extern void insert_deliveries(failure_tables* tables, TupleTableSlot** rows, int count);

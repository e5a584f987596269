/* Waking up who sleeps on a channel. */
#pragma once

#include "tables.h"

/* ring() in SQL, which says how. */
extern void ring(failure_tables* tables, Datum channel);

/* Documents of the log, which are kept as they were written. */
#pragma once

#include "postgres.h"

/* As jsonb. False: that might fail, and readable() in SQL knows what to do then. */
extern bool read_document(Datum json, Datum* jsonb);

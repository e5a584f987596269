/* What a worker is told about a message. */
#pragma once

#include "lib/stringinfo.h"
#include "tables.h"

/* Appends what packed() in SQL makes of it, byte for byte. Texts are sent as they are stored: only
 * where client and server have the same encoding. */
extern void pack_message(StringInfo into, const TupleTableSlot* message);

/* The binary form of a message for a worker. */
#pragma once

#include "lib/stringinfo.h"
#include "tables.h"

/* Appends the bytes that packed() in SQL returns. Texts are sent as they are stored: only where
 * client and server have the same encoding. */
extern void pack_message(StringInfo into, const TupleTableSlot* message);

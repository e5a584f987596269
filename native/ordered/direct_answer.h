/* The result of read_direct_native(): the columns of its declaration in sql/native. */
#pragma once

#include "ordered/direct.h"

enum { direct_columns = 12 };
extern const Oid direct_column_types[direct_columns];

extern Datum answer_with(TupleDesc row, const piece* found);

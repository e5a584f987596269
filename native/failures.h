/* What a worker reports of messages that it could not handle. */
#pragma once

#include "postgres.h"

enum { most_handlers = 16 };

typedef struct {
    int64 seq;
    int handler;       /* which of the report's */
    text* error;       /* may be NULL */
    text* error_class; /* may be NULL */
} failure;

typedef struct {
    int handler_count;
    text* handlers[most_handlers];
    int count;
    failure* each;
} failure_report;

/* settle()'s p_failures. False: something else than transient failures of a few handlers that let
 * the policy choose the delay; settle() knows what to say. */
extern bool read_failures(Datum failures, failure_report* report);

/* What a worker reports of messages that it could not handle. */
#pragma once

#include "postgres.h"

typedef struct {
    int64 seq;
    text* error;       /* may be NULL */
    text* error_class; /* may be NULL */
} failure;

typedef struct {
    text* handler; /* the same of all */
    int count;
    failure* each;
} failure_report;

/* settle()'s p_failures. False: something else than transient failures of one handler that let the
 * policy choose the delay; settle() knows what to say. */
extern bool read_failures(Datum failures, failure_report* report);

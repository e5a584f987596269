#include "postgres.h"

#include "failures.h"

#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/jsonb.h"

/* Of longer texts settle() keeps a part. In bytes: so many characters at most. */
enum { longest_error = 8192, longest_class = 255, most_digits = 18 };

static bool is_string(const JsonbValue* value, const char* expected) {
    return value->type == jbvString && value->val.string.len == (int)strlen(expected) &&
           memcmp(value->val.string.val, expected, value->val.string.len) == 0;
}

static bool read_seq(const JsonbValue* value, int64* seq) {
    if (value->type != jbvNumeric) {
        return false;
    }
    const char* digits =
        DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value->val.numeric)));
    const size_t length = strlen(digits);
    if (length > most_digits || strspn(digits, "0123456789") != length) {
        return false;
    }
    *seq = pg_strtoint64(digits);
    return true;
}

/* A string or null. */
static bool read_text(const JsonbValue* value, int longest, text** into) {
    if (value->type == jbvString && value->val.string.len <= longest) {
        *into = cstring_to_text_with_len(value->val.string.val, value->val.string.len);
        return true;
    }
    return value->type == jbvNull;
}

static bool is_name(const text* name, const JsonbValue* value) {
    return VARSIZE_ANY_EXHDR(name) == (size_t)value->val.string.len &&
           memcmp(VARDATA_ANY(name), value->val.string.val, value->val.string.len) == 0;
}

static bool read_handler(const JsonbValue* value, failure_report* report, int* handler) {
    if (value->type != jbvString) {
        return false;
    }
    for (*handler = 0; *handler < report->handler_count; ++*handler) {
        if (is_name(report->handlers[*handler], value)) {
            return true;
        }
    }
    if (report->handler_count == most_handlers) {
        return false;
    }
    report->handlers[report->handler_count++] =
        cstring_to_text_with_len(value->val.string.val, value->val.string.len);
    return true;
}

static bool read_failure(JsonbIterator** at, failure_report* report, failure* one) {
    bool has_seq = false;
    bool has_handler = false;
    bool has_outcome = false;
    JsonbValue key;
    JsonbValue value;
    while (JsonbIteratorNext(at, &key, true) == WJB_KEY) {
        bool understood = false;
        JsonbIteratorNext(at, &value, true);
        if (is_string(&key, "seq")) {
            understood = has_seq = read_seq(&value, &one->seq);
        } else if (is_string(&key, "handler")) {
            understood = has_handler = read_handler(&value, report, &one->handler);
        } else if (is_string(&key, "outcome")) {
            understood = has_outcome = is_string(&value, "failed");
        } else if (is_string(&key, "error")) {
            understood = read_text(&value, longest_error, &one->error);
        } else if (is_string(&key, "error_class")) {
            understood = read_text(&value, longest_class, &one->error_class);
        }
        if (!understood) {
            return false;
        }
    }
    return has_seq && has_handler && has_outcome;
}

bool read_failures(Datum failures, failure_report* report) {
    Jsonb* all = DatumGetJsonbP(failures);
    JsonbValue value;
    *report = (failure_report){.count = 0};
    if (!JB_ROOT_IS_ARRAY(all) || JB_ROOT_IS_SCALAR(all) || JB_ROOT_COUNT(all) == 0) {
        return false;
    }
    report->each = palloc0(sizeof(failure) * JB_ROOT_COUNT(all));
    JsonbIterator* at = JsonbIteratorInit(&all->root);
    JsonbIteratorNext(&at, &value, false);
    for (;;) {
        const JsonbIteratorToken token = JsonbIteratorNext(&at, &value, false);
        if (token == WJB_END_ARRAY) {
            return true;
        }
        if (token != WJB_BEGIN_OBJECT ||
            !read_failure(&at, report, &report->each[report->count++])) {
            return false;
        }
    }
}

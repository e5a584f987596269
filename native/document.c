#include "postgres.h"

#include "document.h"

#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

/* Within these no number has more digits than numeric can hold. */
enum { most_bytes = 6000, most_exponent_digits = 4, deepest = 100 };

static bool has_large_exponent(const char* after_e) {
    const char* digits = after_e + (*after_e == '+' || *after_e == '-');
    return strspn(digits, "0123456789") > most_exponent_digits;
}

/* What jsonb cannot hold: zero bytes and halves of characters, which are written as escapes, huge
 * numbers, deep nesting. */
static bool fits_jsonb(const char* json) {
    bool in_string = false;
    int depth = 0;
    for (const char* at = json; *at != '\0'; ++at) {
        if (in_string) {
            if (*at == '"') {
                in_string = false;
            } else if (*at == '\\' && *++at == 'u') {
                return false;
            }
        } else if (*at == '"') {
            in_string = true;
        } else if (*at == '{' || *at == '[') {
            if (++depth > deepest) {
                return false;
            }
        } else if (*at == '}' || *at == ']') {
            --depth;
        } else if ((*at == 'e' || *at == 'E') && has_large_exponent(at + 1)) {
            return false;
        }
    }
    return true;
}

bool read_document(Datum json, Datum* jsonb) {
    const text* stored = DatumGetTextPP(json);
    if (VARSIZE_ANY_EXHDR(stored) > most_bytes) {
        return false;
    }
    char* characters = text_to_cstring(stored);
    if (!fits_jsonb(characters)) {
        return false;
    }
    *jsonb = DirectFunctionCall1(jsonb_in, CStringGetDatum(characters));
    return true;
}

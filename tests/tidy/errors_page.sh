#!/usr/bin/env bash
# errors_page.sh <postrider> <root>: the page of errors is what the program prints.
set -euo pipefail
page="$2/docs/reference/errors.md"
diff -u "$page" <("$1" errors --markdown) || {
    echo "refresh it: postrider errors --markdown > docs/reference/errors.md"
    exit 1
}

#!/usr/bin/env bash
# http_page.sh <postrider> <root>: the page of the HTTP API is what the program prints.
set -euo pipefail
page="$2/docs/reference/http.md"
diff -u "$page" <("$1" serve --reference) || {
    echo "refresh it: postrider serve --reference > docs/reference/http.md"
    exit 1
}

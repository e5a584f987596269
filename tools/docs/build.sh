#!/usr/bin/env bash
# build.sh <root> <dir>: the static site in <dir>/site, every link of which leads somewhere.
set -euo pipefail
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python3 "$tools/assemble.py" "$1" "$2"
# Strict: a warning is an error.
mkdocs build --quiet --strict --clean --config-file "$2/mkdocs.yml"
# The package of Debian 12 lacks two scripts that its theme names.
for script in $(grep -oE 'js/(jquery-[0-9.]+min|theme_extra)\.js' "$2/site/index.html" | sort -u); do
    [ ! -e "$2/site/$script" ] || continue
    case $script in
        js/jquery*) cp /usr/share/javascript/jquery/jquery.min.js "$2/site/$script" ;;
        *) cp "$tools/tables.js" "$2/site/$script" ;;
    esac
done
python3 "$tools/check_links.py" "$2/site"

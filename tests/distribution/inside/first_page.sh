# From `apt install` to an answer of the page in less than a minute, without a compiler.
. /packages/inside/steps.sh
! command -v cc c++ gcc g++ || fail "this system has a compiler"
begin=$(date +%s%N)
apt_get install ./postrider_*.deb
page_of_demo
took=$((($(date +%s%N) - begin) / 1000000))
printf 'package_first_page_s %d.%03d\n' $((took / 1000)) $((took % 1000))
# The check of the container image.
/packages/healthy "$port" || fail "not healthy"
end_demo
! /packages/healthy "$port" 2>/dev/null || fail "healthy after its end"
[ "$took" -le 60000 ] || fail "that took more than 60 s"

# ./dev docs: guides and reference as a static site with a search, in build/docs/site. Sourced by ./dev.

cmd_docs() {
    take_nothing docs "$@"
    need_packages docs
    tools/docs/build.sh "$root" "$root/build/docs"
    say "open build/docs/site/index.html; the search needs a server: python3 -m http.server --directory build/docs/site"
}

// What ThreadSanitizer cannot know: Debian's cpp-httplib is compiled without it, so that the guards
// of its function-local statics are invisible, and what one thread initialised seems to race with
// another that reads it. Visible, because ThreadSanitizer's own library asks for it.
// NOLINTNEXTLINE: the name is ThreadSanitizer's
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions();
const char* __tsan_default_suppressions() {  // NOLINT
    return "race:libcpp-httplib.so\n";
}

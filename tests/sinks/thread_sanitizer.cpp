// Suppresses false reports: Debian's cpp-httplib is compiled without ThreadSanitizer, so the guards
// of its function-local statics are invisible to it, and initialisation in one thread seems to race
// with reads in another. Visible, because ThreadSanitizer's own library asks for it.
// NOLINTNEXTLINE: the name is ThreadSanitizer's
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions();
const char* __tsan_default_suppressions() {  // NOLINT
    return "race:libcpp-httplib.so\n";
}

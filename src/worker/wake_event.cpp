#include "worker/wake_event.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace postrider::working {

wake_event::wake_event() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) {
        throw std::system_error(errno, std::generic_category(), "eventfd");
    }
}

wake_event::~wake_event() { ::close(descriptor_); }

void wake_event::set() const noexcept {
    const std::uint64_t one = 1;
    // Full means that it is set already.
    [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
}

void wake_event::clear() const noexcept {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto read = ::read(descriptor_, &count, sizeof count);
}

}  // namespace postrider::working

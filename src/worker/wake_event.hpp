#pragma once

namespace postrider::working {

/// An event for poll(2) that other threads and signal handlers can set.
class wake_event {
  public:
    wake_event();
    wake_event(const wake_event&) = delete;
    wake_event& operator=(const wake_event&) = delete;
    ~wake_event();

    void set() const noexcept;
    void clear() const noexcept;
    int descriptor() const noexcept { return descriptor_; }

  private:
    int descriptor_;
};

}  // namespace postrider::working

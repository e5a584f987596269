#include <mutex>
#include <postrider/sink.hpp>
#include <utility>

namespace postrider {
namespace {

struct default_place {
    std::mutex mutex;
    std::shared_ptr<sink> current;
};

default_place& place() {
    static default_place only;
    return only;
}

class both final : public sink {
  public:
    both(std::shared_ptr<sink> first, std::shared_ptr<sink> second)
        : first_(std::move(first)), second_(std::move(second)) {}

    void published(const publish_record& record) override { tell(&sink::published, record); }
    void handled(const handle_record& record) override { tell(&sink::handled, record); }
    void state_changed(const state_record& record) override { tell(&sink::state_changed, record); }
    void figures(const worker_figures& record) override { tell(&sink::figures, record); }
    void alerted(const alert& record) override { tell(&sink::alerted, record); }

  private:
    template <typename Record>
    void tell(void (sink::*call)(const Record&), const Record& record) {
        for (auto* one : {first_.get(), second_.get()}) {
            try {
                (one->*call)(record);
            } catch (...) {
                // Ignored, as for any sink: the other sink must still get the record.
            }
        }
    }

    std::shared_ptr<sink> first_;
    std::shared_ptr<sink> second_;
};

}  // namespace

sink::~sink() = default;
void sink::published(const publish_record&) {}
void sink::handled(const handle_record&) {}
void sink::state_changed(const state_record&) {}
void sink::figures(const worker_figures&) {}
void sink::alerted(const alert&) {}

alert_target::~alert_target() = default;
std::string alert_target::configuration() const { return {}; }
std::chrono::milliseconds alert_target::timeout() const { return std::chrono::seconds(10); }

void set_default_sink(std::shared_ptr<sink> to) {
    auto& here = place();
    {
        const std::lock_guard lock(here.mutex);
        here.current.swap(to);
    }
    // `to` destroys the old sink outside of the lock: its destructor may block, and may report.
}

std::shared_ptr<sink> default_sink() {
    auto& here = place();
    const std::lock_guard lock(here.mutex);
    return here.current;
}

std::shared_ptr<sink> fan_out(std::shared_ptr<sink> first, std::shared_ptr<sink> second) {
    if (!first || !second) {
        return first ? first : second;
    }
    return std::make_shared<both>(std::move(first), std::move(second));
}

}  // namespace postrider

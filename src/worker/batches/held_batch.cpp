#include "worker/batches/held_batch.hpp"

#include <algorithm>
#include <unordered_set>

namespace postrider::working {

held_batch::held_batch(store::stream from, store::claimed_batch lease)
    : rows_(std::move(lease)), from_(from) {
    size_ = std::get<store::claimed_batch>(rows_).size();
    unfinished = size_;
}

held_batch::held_batch(store::due_batch due) : rows_(std::move(due)) {
    const auto& rows = std::get<store::due_batch>(rows_);
    size_ = rows.size();
    unfinished = size_;
    alone = size_ == 1 && rows[0].alone();
}

held_batch::held_batch(received_batch received) : rows_(std::move(received)) {
    size_ = this->received().size();
    unfinished = size_;
}

event_fields held_batch::fields(int index) const {
    const auto read = [](const store::envelope& from) {
        event_fields to;
        to.id = from.id().bytes;
        to.event_type = from.event_type();
        to.event_version = from.event_version();
        to.occurred_at = from.occurred_at();
        to.source = from.source();
        to.target = from.target();
        if (const auto workspace = from.workspace_id()) {
            to.workspace_id = workspace->bytes;
        }
        to.payload = from.payload();
        to.headers = from.headers();
        to.idempotency_key = from.given_idempotency_key();
        to.ordering_key = from.ordering_key();
        to.partition_key = from.partition_key();
        to.trace_context = from.trace_context();
        to.content_class = from.content_class();
        to.generation = from.generation();
        return to;
    };
    if (is_lease()) {
        return read(std::get<store::claimed_batch>(rows_)[index]);
    }
    if (const auto* received = std::get_if<received_batch>(&rows_)) {
        return received->fields(index);
    }
    auto all = read(due(index));
    all.cycle = due(index).cycle();
    return all;
}

void held_batch::look_for_batches(const handler_table& handlers) {
    if (handlers.largest_batch() == 1) {
        return;
    }
    in_batches_.resize(static_cast<std::size_t>(size_));
    for (int index = 0; index < size_; ++index) {
        in_batches_[static_cast<std::size_t>(index)] = goes_to_batch(index, handlers);
    }
}

std::string_view held_batch::event_type(int index) const {
    const auto* received = std::get_if<received_batch>(&rows_);
    return received != nullptr ? std::string_view((*received)[index].event_type)
                               : std::get<store::claimed_batch>(rows_)[index].event_type();
}

bool held_batch::goes_to_batch(int index, const handler_table& handlers) const {
    if (is_due()) {
        const auto* by = handlers.find(due(index).handler());
        return by != nullptr && by->in_batches();
    }
    return std::ranges::any_of(handlers.for_type(event_type(index)),
                               [](const handler* by) { return by->in_batches(); });
}

int held_batch::end_of_run(int index, const handler_table& handlers) const {
    const auto name = due(index).handler();
    const auto* by = handlers.find(name);
    const int most = by != nullptr && by->in_batches() ? by->options.batch_max : 1;
    int end = index + 1;
    while (end < size_ && end - index < most && due(end).handler() == name) {
        ++end;
    }
    return end;
}

std::vector<std::int64_t> held_batch::delivered() const {
    std::unordered_set<std::int64_t> failed;
    for (const auto& one : failures) {
        failed.insert(one.seq);
    }
    std::vector<std::int64_t> seqs;
    for (const auto& part : finished) {
        for (int index = part.begin; index < part.end; ++index) {
            if (!failed.contains(seq(index))) {
                seqs.push_back(seq(index));
            }
        }
    }
    return seqs;
}

void held_batch::cancel(int index) {
    const std::lock_guard lock(mutex_);
    cancelled_.push_back(index);
    some_cancelled_ = true;
}

bool held_batch::is_cancelled(int index) const {
    if (!some_cancelled_) {
        return false;
    }
    const std::lock_guard lock(mutex_);
    return std::ranges::find(cancelled_, index) != cancelled_.end();
}

}  // namespace postrider::working

#include "store/work/progress.hpp"

#include <fmt/core.h>

#include "base/json/json.hpp"
#include "store/messages/encode.hpp"

namespace postrider::store {

int record_progress(pg::connection& session, const uuid& worker,
                    std::span<const progress_report> reports) {
    json_array all;
    for (const auto& one : reports) {
        json_object report;
        if (one.lease) {
            report.add("lease", one.lease->id)
                .add("token", one.lease->token.text())
                .add("seq", one.seq)
                .add("id", one.id.text())
                .add("handler", one.handler);
        } else {
            report.add("delivery", one.delivery).add("token", one.token.text());
        }
        if (one.fraction) {
            report.add_raw("fraction", fmt::format("{:.6f}", *one.fraction));
        }
        report.add("text", one.text);
        if (one.result) {
            report.add_raw("result", *one.result);
        }
        all.add_raw(report.text());
    }
    pg::params values;
    add(values, worker);
    values.add(all.text());
    return session.exec_params("select postrider.record_progress($1, $2)", values).get<int>(0, 0);
}

}  // namespace postrider::store

#pragma once

#include <chrono>

namespace postrider::embedded {

inline constexpr std::chrono::seconds server_timeout{120};  ///< crash recovery may have much to do
inline constexpr std::chrono::milliseconds pause{20};

}  // namespace postrider::embedded

#pragma once

namespace postrider::test {

/// A port of 127.0.0.1 that no program listens on.
int free_port();

}  // namespace postrider::test

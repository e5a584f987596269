#pragma once

// Everything a program needs: include this one.
#include <postrider/alert.hpp>
#include <postrider/cancel.hpp>
#include <postrider/error.hpp>
#include <postrider/event.hpp>
#include <postrider/limit.hpp>
#include <postrider/message.hpp>
#include <postrider/migrate.hpp>
#include <postrider/outcome.hpp>
#include <postrider/payload.hpp>
#include <postrider/publish.hpp>
#include <postrider/retry.hpp>
#include <postrider/schedule.hpp>
#include <postrider/sink.hpp>
#include <postrider/transaction.hpp>
#include <postrider/version.hpp>
#include <postrider/worker.hpp>

#pragma once

// Everything a program needs: include this one.
#include <postrider/error.hpp>
#include <postrider/migrate.hpp>
#include <postrider/version.hpp>

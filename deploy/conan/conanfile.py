"""conan create deploy/conan --version 0.1.0 --build missing [-o 'postrider/*:sinks=True' -o 'postrider/*:relay=True']"""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy

FOLDERS = ("cmake", "include", "native", "sql", "src")


class Postrider(ConanFile):
    name = "postrider"
    description = "Transactional outbox, event bus and job queue inside PostgreSQL"
    license = "Apache-2.0"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "sinks": [True, False], "relay": [True, False]}
    default_options = {"shared": False, "sinks": False, "relay": False}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for name in ("CMakeLists.txt", "LICENSE", *(f"{folder}/*" for folder in FOLDERS)):
            copy(self, name, root, self.export_sources_folder)

    def requirements(self):
        self.requires("libpq/[>=15]")
        self.requires("fmt/[>=9]")
        if self.options.sinks:
            self.requires("spdlog/[>=1.10]")
            self.requires("prometheus-cpp/[>=1.0]")
            self.requires("zlib/[>=1.2]")
        if self.options.relay:
            self.requires("cnats/[>=3.4]")
            self.requires("hiredis/[>=1.0]")
            self.requires("librdkafka/[>=2.0]")
            self.requires("openssl/[>=3]")
        if self.options.sinks or self.options.relay:
            self.requires("libcurl/[>=7.88]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("PROGRAM", "TESTS", "BENCH", "NATIVE"):
            toolchain.cache_variables[f"POSTRIDER_BUILD_{part}"] = False
        for part in ("sinks", "relay"):
            toolchain.cache_variables[f"POSTRIDER_BUILD_{part.upper()}"] = bool(self.options.get_safe(part))
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # The package has a CMake configuration of its own.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "postrider"))

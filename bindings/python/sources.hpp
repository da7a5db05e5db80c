/// Python objects as sources of bytes, and reading without the GIL.
#pragma once

#include <string>

#include <pybind11/pybind11.h>

#include <callcost/check.hpp>
#include <callcost/profile.hpp>

namespace callcost::python {

struct ReadSettings {
    Detail detail = Detail::full;
    unsigned threads = 1;
};

/// `inputs` are pairs of a name and what to read: the path of a file as bytes (the name's own), a buffer, or
/// a function that takes a number and returns at most so many bytes. Signals are noticed while it reads.
[[nodiscard]] Profile read_inputs(const pybind11::list& inputs, const ReadSettings& settings);

/// What `check` found, with the profile that it is about.
struct Examination {
    Profile profile;
    FileReport report;
    std::vector<Diagnostic> diagnostics;
};
[[nodiscard]] Examination examine_inputs(const pybind11::list& inputs, bool is_compressed, unsigned threads);

/// A Sink over a function that takes bytes.
[[nodiscard]] Sink sink_of(pybind11::function write);

}  // namespace callcost::python

#include "python/sources.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "python/errors.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/file.hpp>
#include <callcost/read.hpp>
#include <callcost/source.hpp>

namespace py = pybind11;

namespace callcost::python {
namespace {

using Tasks = std::span<const std::function<void()>>;

/// What a task throws comes out when all tasks have ended.
void run_tasks(Tasks tasks, unsigned threads) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&] {
        for (std::size_t i = next++; i < tasks.size(); i = next++) {
            try {
                tasks[i]();
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> helpers;
        try {
            while (helpers.size() + 1 < std::min<std::size_t>(threads, tasks.size()))
                helpers.emplace_back(work);
        } catch (const std::system_error&) {  // no more threads to be had: those there are do all the work
        }
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

RunAll run_all(unsigned threads) {
    if (threads < 2) return {};
    return [threads](Tasks tasks) { run_tasks(tasks, threads); };
}

/// Lets Ctrl-C end the reading. Looks seldom: where other threads of Python are busy, the GIL is slow to get.
class SignalWatch {
  public:
    bool operator()(const Progress& /*progress*/) {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return true;
        next_ = now + std::chrono::milliseconds(100);
        const py::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        return true;
    }

  private:
    std::chrono::steady_clock::time_point next_ =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
};

/// Objects that sources refer to, so that they are there while somebody reads. Needs the GIL at both ends.
struct Held {
    std::vector<std::unique_ptr<py::buffer_info>> buffers;
    std::vector<py::object> objects;
};

Result<std::size_t> read_some(const py::object& read, std::span<char> buffer) {
    try {
        const py::object got = read(buffer.size());
        if (!py::isinstance<py::bytes>(got))
            throw py::type_error("a file object must yield bytes: open the file in binary mode ('rb')");
        const std::string_view bytes = py::reinterpret_borrow<py::bytes>(got);
        if (bytes.size() > buffer.size())
            throw py::value_error(
                "the read function of a file object returned more bytes than it was asked for");
        std::memcpy(buffer.data(), bytes.data(), bytes.size());
        return bytes.size();
    } catch (py::error_already_set& raised) {
        if (!raised.matches(py::module_::import("callcost.errors").attr("TruncatedCompression"))) throw;
        const std::string reason = py::str(raised.value());
        return tl::unexpected(Error{.code = ErrorCode::truncated_compression, .detail = reason});
    }
}

Source source_of(const py::tuple& input, Held& held) {
    std::string name = py::bytes(input[0]);
    py::object what = input[1];
    if (what.is_none()) return value_of(from_file(name));
    if (PyObject_CheckBuffer(what.ptr()) != 0) {
        auto view = std::make_unique<py::buffer_info>(py::reinterpret_borrow<py::buffer>(what).request());
        const auto size = static_cast<std::size_t>(view->size * view->itemsize);
        const std::string_view bytes(static_cast<const char*>(view->ptr), size);
        held.buffers.push_back(std::move(view));
        return from_memory(bytes, std::move(name));
    }
    held.objects.push_back(what);
    Source source;
    source.name = std::move(name);
    source.read = [read = held.objects.back().ptr()](std::span<char> buffer) {
        const py::gil_scoped_acquire gil;
        return read_some(py::reinterpret_borrow<py::object>(read), buffer);
    };
    return source;
}

ReadOptions options_of(const ReadSettings& settings) {
    return {.detail = settings.detail,
            .on_progress = SignalWatch(),
            .run_all = run_all(settings.threads),
            .concurrency = std::max(settings.threads, 1U)};
}

std::vector<Source> sources_of(const py::list& inputs, Held& held) {
    std::vector<Source> sources;
    for (const auto& input : inputs) sources.push_back(source_of(input.cast<py::tuple>(), held));
    return sources;
}

}  // namespace

Profile read_inputs(const py::list& inputs, const ReadSettings& settings) {
    Held held;
    const auto sources = sources_of(inputs, held);
    const py::gil_scoped_release no_gil;
    ProfileReader reader(options_of(settings));
    for (const auto& source : sources) value_of(reader.add(source));
    return std::move(reader).finish();
}

Examination examine_inputs(const py::list& inputs, bool is_compressed, unsigned threads) {
    Held held;
    const auto sources = sources_of(inputs, held);
    const py::gil_scoped_release no_gil;
    ProfileReader reader(options_of({.detail = Detail::functions, .threads = threads}));
    std::vector<Spelling> spellings;
    for (auto source : sources) {
        Spelling spelling(static_cast<std::uint32_t>(spellings.size()));
        if (is_compressed) spelling.note_compressed();
        source.read = [&spelling, read = source.read](std::span<char> buffer) {
            auto count = read(buffer);
            if (count) spelling.take(buffer.first(*count));
            return count;
        };
        value_of(reader.add(source));
        spelling.finish();
        spellings.push_back(std::move(spelling));
    }
    auto profile = std::move(reader).finish();
    const auto graph = value_of(call_graph(profile));
    std::vector<Diagnostic> diagnostics(profile.diagnostics().begin(), profile.diagnostics().end());
    for (const auto& more : {formula_diagnostics(profile), analysis_diagnostics(graph)})
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    auto report = check_profile(graph, diagnostics, spellings);
    return {std::move(profile), std::move(report), std::move(diagnostics)};
}

Sink sink_of(py::function write) {
    // Kept by a pointer that is let go with the GIL only.
    const std::shared_ptr<py::function> kept(new py::function(std::move(write)), [](py::function* function) {
        const py::gil_scoped_acquire gil;
        delete function;  // NOLINT(cppcoreguidelines-owning-memory)
    });
    return [kept](std::string_view bytes) -> Result<void> {
        const py::gil_scoped_acquire gil;
        while (!bytes.empty()) {  // a raw file may take a part of what it is given, and says how much
            const py::object taken = (*kept)(py::bytes(bytes.data(), bytes.size()));
            if (!py::isinstance<py::int_>(taken)) break;
            const auto count = taken.cast<std::size_t>();
            if (count == 0) throw py::value_error("the write function of a file object took no bytes");
            bytes.remove_prefix(std::min(count, bytes.size()));
        }
        return {};
    };
}

}  // namespace callcost::python

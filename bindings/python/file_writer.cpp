#include "python/file_writer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "python/errors.hpp"
#include "python/sources.hpp"
#include <callcost/writer.hpp>

namespace py = pybind11;

namespace callcost::python {
namespace {

// Ids as Python keeps them. None: unknown, the default id.
using Number = std::optional<std::uint32_t>;

template <class Id>
Id id_of(const Number& number) {
    return number ? Id(*number) : Id();
}

std::vector<Cost> costs_of(const std::vector<std::int64_t>& numbers) {
    return {numbers.begin(), numbers.end()};
}

struct PlaceOfRecord {
    Number file;
    std::uint64_t line, address;
    [[nodiscard]] Writer::Place place() const {
        return {.file = id_of<Writer::File>(file), .address = address, .line = line};
    }
};

PlaceOfRecord place_of(const py::tuple& place) {
    return {place[0].cast<Number>(), place[1].cast<std::uint64_t>(), place[2].cast<std::uint64_t>()};
}

void begin_part(Writer& writer, const std::vector<std::string>& events, const std::string& command,
                const py::tuple& numbers, const std::vector<std::string>& descriptions, bool addresses) {
    std::vector<EventType> types;
    types.reserve(events.size());
    for (const auto& event : events) types.push_back({.name = event});
    value_of(writer.begin_part({.command = command,
                                .pid = numbers[0].cast<std::optional<std::uint64_t>>(),
                                .part = numbers[1].cast<std::optional<std::uint64_t>>(),
                                .thread = numbers[2].cast<std::optional<std::uint64_t>>(),
                                .descriptions = descriptions,
                                .addresses = addresses,
                                .events = types}));
}

void write_cost(Writer& writer, const py::tuple& place, const std::vector<std::int64_t>& costs) {
    value_of(writer.cost(place_of(place).place(), costs_of(costs)));
}

void write_call(Writer& writer, const py::tuple& place, std::uint32_t callee, std::uint64_t count,
                const std::vector<std::int64_t>& costs) {
    value_of(
        writer.call({.place = place_of(place).place(), .callee = Writer::Function(callee), .count = count},
                    costs_of(costs)));
}

}  // namespace

void define_file_writer(py::module_& module) {
    py::class_<Writer>(module, "FileWriter")
        .def(py::init([](py::function write, FileDialect dialect, std::string creator, bool without_calls) {
            return Writer(
                sink_of(std::move(write)),
                {.dialect = dialect, .creator = std::move(creator), .without_calls = without_calls});
        }))
        .def("object", [](Writer& writer, const std::string& name) { return writer.object(name).value; })
        .def("file", [](Writer& writer, const std::string& name) { return writer.file(name).value; })
        .def("function",
             [](Writer& writer, const Number& object, const Number& file, const std::string& name) {
                 return writer.function(id_of<Writer::Object>(object), id_of<Writer::File>(file), name).value;
             })
        .def("begin_part", begin_part)
        .def("begin_function",
             [](Writer& writer, std::uint32_t function) {
                 value_of(writer.begin_function(Writer::Function(function)));
             })
        .def("cost", write_cost)
        .def("call", write_call)
        .def("finish", [](Writer& writer) { value_of(writer.finish()); });
}

}  // namespace callcost::python

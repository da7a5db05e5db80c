/// The WebAssembly module of change points, which the npm package has beside the engine: the page does not
/// need them, and the engine would grow by them. web/src/package/change_points.ts is the other side.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <callcost/change_points.hpp>

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace callcost {
namespace {

struct Series {
    std::vector<std::optional<Cost>> values;
    ChangePoints changes;
};

/// An instance of the module has one.
Series& series() {
    static Series one;
    return one;
}

const ChangePoint& point(std::size_t row) { return series().changes.points[row]; }

}  // namespace

EXPORT(add) void add(std::int64_t value) { series().values.emplace_back(value); }
EXPORT(add_missing) void add_missing() { series().values.emplace_back(); }

/// How many there are; the functions below are about them.
EXPORT(find) std::size_t find(double threshold, bool exact) {
    series().changes = change_points(series().values, {.threshold = threshold, .exact = exact});
    return series().changes.points.size();
}

EXPORT(is_exact) bool is_exact() { return series().changes.exact; }
EXPORT(noise) double noise() { return series().changes.noise; }
EXPORT(at) std::size_t at(std::size_t row) { return point(row).at; }
EXPORT(before) std::int64_t before(std::size_t row) {
    return static_cast<std::int64_t>(point(row).level.before);
}
EXPORT(after) std::int64_t after(std::size_t row) {
    return static_cast<std::int64_t>(point(row).level.after);
}
EXPORT(count_before) std::size_t count_before(std::size_t row) { return point(row).count_before; }
EXPORT(count_after) std::size_t count_after(std::size_t row) { return point(row).count_after; }

}  // namespace callcost

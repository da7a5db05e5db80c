// How often change points are missed, and found where there is none: series of 100 values with known changes
// and noise from fixed seeds. The rates of docs/change-points.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include <callcost/change_points.hpp>

namespace {

using callcost::change_points;
using callcost::ChangePoint;
using callcost::Cost;
using Random = std::mt19937_64;

constexpr int repetitions = 500;
constexpr std::size_t length = 100;
constexpr double level = 1e7;

// The distributions of the standard library differ between its implementations.
double uniform(Random& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }
double normal(Random& random) {
    return std::sqrt(-2 * std::log(1 - uniform(random))) * std::cos(6.283185307179586 * uniform(random));
}

struct Noise {
    std::string_view name;
    double deviation;  ///< standard deviation (of the bulk, where there are outliers), relative to the level
    double (*draw)(Random&);
};

constexpr std::array noises = {
    Noise{"gaussian 1 %", 0.01, [](Random& random) { return 0.01 * normal(random); }},
    Noise{"gaussian 2 %", 0.02, [](Random& random) { return 0.02 * normal(random); }},
    Noise{"gaussian 5 %", 0.05, [](Random& random) { return 0.05 * normal(random); }},
    Noise{"bimodal, half", 0.05,
          [](Random& random) { return (uniform(random) < 0.5 ? -0.05 : 0.05) + 0.003 * normal(random); }},
    Noise{"bimodal, fifth", 0.04,
          [](Random& random) { return (uniform(random) < 0.2 ? 0.1 : 0) + 0.003 * normal(random); }},
    Noise{"bimodal, exact", 0.05, [](Random& random) { return uniform(random) < 0.5 ? -0.05 : 0.05; }},
    Noise{"5 % outliers", 0.02,
          [](Random& random) {
              const double outlier = uniform(random) < 0.05 ? 0.2 + 0.8 * uniform(random) : 0;
              return 0.02 * normal(random) + outlier;
          }},
    Noise{"heavy tails", 0.02,  // Student's t of 2 degrees of freedom
          [](Random& random) {
              const double a = normal(random), b = normal(random), c = normal(random);
              return 0.02 * a / std::sqrt((b * b + c * c) / 2);
          }},
    Noise{"jitter 0.003 %", 0.00003, [](Random& random) { return 0.00003 * normal(random); }},
};

/// Noise, and from `at` on a higher level.
std::vector<std::optional<Cost>> series(const Noise& noise, Random& random, std::size_t size, std::size_t at,
                                        double step) {
    std::vector<std::optional<Cost>> values;
    for (std::size_t i = 0; i < size; ++i)
        values.emplace_back(std::llround(level * (1 + noise.draw(random) + (i < at ? 0 : step))));
    return values;
}

double percent(int count) { return 100.0 * count / repetitions; }

void print_rates(const Noise& noise, std::uint64_t seed) {
    Random random(seed);
    int alarms = 0;
    for (int i = 0; i < repetitions; ++i)
        alarms += change_points(series(noise, random, length, length, 0)).points.empty() ? 0 : 1;
    std::printf("| %-14.*s | %4.1f ", static_cast<int>(noise.name.size()), noise.name.data(),
                percent(alarms));
    for (const double deviations : {1, 2, 3, 5}) {
        const double step = std::max(deviations * noise.deviation, 0.0015);  // not below the threshold
        int missed = 0, missed_by_one = 0, more = 0;
        for (int i = 0; i < repetitions; ++i) {
            const std::size_t at = 20 + static_cast<std::size_t>(i) % 61;
            const auto points = change_points(series(noise, random, length, at, step)).points;
            const auto within = [&](std::size_t distance) {
                return std::any_of(points.begin(), points.end(), [&](const ChangePoint& point) {
                    return std::max(point.at, at) - std::min(point.at, at) <= distance;
                });
            };
            missed += within(2) ? 0 : 1;
            missed_by_one += within(1) ? 0 : 1;
            more += points.size() > 1 ? 1 : 0;
        }
        std::printf("| %5.1f / %5.1f / %4.1f ", percent(missed_by_one), percent(missed), percent(more));
    }
    for (const std::size_t newest : {3U, 5U, 10U}) {
        int found = 0;
        for (int i = 0; i < repetitions; ++i) {
            const auto values =
                series(noise, random, length, length - newest, std::max(5 * noise.deviation, 0.0015));
            found += change_points(values).points.empty() ? 1 : 0;
        }
        std::printf("| %5.1f ", percent(found));
    }
    std::printf("|\n");
}

void print_time(std::size_t size) {
    Random random(1);
    const auto values = series(noises[0], random, size, size, 0);
    const auto begin = std::clock();
    const auto found = change_points(values).points.size();
    const double taken = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%zu values: %.2f ms, %zu change points\n", size, taken, found);
}

}  // namespace

int main() {
    std::printf(
        "Per cent of %d series of %zu values. False alarms: of series without a change. For a step of 1 to 5 "
        "standard deviations: missed by more than 1 / by more than 2 positions / more than one change point "
        "found. Newest: a step of 5 standard deviations 3, 5, 10 values before the end is missed.\n\n",
        repetitions, length);
    std::printf("| noise | false alarms | 1 | 2 | 3 | 5 | newest 3 | newest 5 | newest 10 |\n|%s\n",
                "---|---|---|---|---|---|---|---|---|");
    for (std::uint64_t seed = 1; const Noise& noise : noises) print_rates(noise, seed++);
    std::printf("\n");
    for (const std::size_t size : {100U, 1'000U, 10'000U}) print_time(size);
}

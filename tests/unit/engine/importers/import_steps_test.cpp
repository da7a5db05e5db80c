#include "importers/import_steps.hpp"

#include <cstddef>

#include <gtest/gtest.h>

#include "importers/importers.hpp"

namespace {

using callcost::engine::ImportNotes;
using callcost::engine::ImportOddity;
using callcost::engine::oddities_of;
using callcost::engine::summary_of;

TEST(ImportSteps, a_file_is_called_by_the_name_that_people_know) {
    EXPECT_EQ(summary_of({.samples = 1234, .kind = "V8 CPU profile", .notes = {}}, {.separators = true}),
              "V8 CPU profile, 1,234 samples");
    EXPECT_EQ(summary_of(
                  {.samples = 1, .kind = "X", .processes = 2, .threads = 1, .limits = "so", .notes = {}}, {}),
              "X, 2 processes, 1 thread, 1 sample; so");
    EXPECT_EQ(summary_of({.spans = 3, .kind = "Chrome trace", .notes = {}}, {}), "Chrome trace, 3 spans");
}

TEST(ImportSteps, what_is_lost_is_said_in_words) {
    ImportNotes notes;
    notes.notes = {{.what = ImportOddity::unreadable_line, .count = 1, .first_line = 4},
                   {.what = ImportOddity::time_before_samples, .count = 20720},
                   {.what = ImportOddity::estimated_stacks, .count = 1},
                   {.what = ImportOddity::child_processes, .count = 2},
                   {.what = ImportOddity::trace_cut, .count = 1}};
    EXPECT_EQ(
        oddities_of(notes, {.units = true}),
        "1 unreadable line skipped, 20720 us before the first sample are not counted, traces of 2 child "
        "processes are in files of their own, the file is cut off: what is there was read");
}

TEST(ImportSteps, each_oddity_has_its_words) {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(ImportOddity::costs_below_zero); ++i) {
        ImportNotes notes;
        notes.notes = {{.what = ImportOddity(i), .count = 1}};
        EXPECT_EQ(oddities_of(notes, {}).empty(), ImportOddity(i) == ImportOddity::estimated_stacks) << i;
    }
}

}  // namespace

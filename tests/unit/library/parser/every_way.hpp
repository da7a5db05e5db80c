/// Small texts, read in one piece and in little ones by two threads: what they say must be the same.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unit/library/parser/profile_dump.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {

/// The smallest chunks there are, two at a time.
inline ReadOptions little_pieces() {
    ReadOptions options;
    options.chunk_size = 64;
    options.concurrency = 2;
    options.run_all = on_two_threads();
    return options;
}

inline Profile read_every_way(std::string_view text) {
    Profile profile = read(text);
    const std::string expected = dump(profile);
    ReadOptions options = little_pieces();
    EXPECT_EQ(first_difference(dump(read(text, options)), expected), "") << "two threads\n" << text;
    options.run_all = {};
    options.concurrency = 1;
    EXPECT_EQ(first_difference(dump(read(text, options)), expected), "") << "one thread\n" << text;
    return profile;
}

inline Lines diagnostics_of(std::string_view text) { return diagnostics_of(read_every_way(text)); }
inline Lines functions_of(std::string_view text) { return functions_of(read_every_way(text)); }
inline Lines arcs_of(std::string_view text) { return arcs_of(read_every_way(text)); }
inline Lines records_of(std::string_view text) { return records_of(read_every_way(text)); }

/// The ids alone, where the rules do not say which line is meant.
inline Lines diagnostic_ids_of(std::string_view text) {
    Lines ids = diagnostics_of(text);
    for (std::string& id : ids) id.resize(std::min(id.size(), id.find(' ')));
    return ids;
}

/// Why a text cannot be read; throws if it can.
inline ErrorCode error_of(std::string_view text) { return read_profile(from_memory(text)).error().code; }

/// A profile of Callgrind's dialect; the body begins in line 3.
inline std::string by_callgrind(std::string_view body) {
    return "creator: callgrind-3.22.0\nevents: Ir\n" + std::string(body) + "totals: 0\n";
}
/// A profile of the generic dialect; the body begins in line 2.
inline std::string by_others(std::string_view body) { return "events: Ir\n" + std::string(body); }
/// The same with a function begun; the lines of text begin in line 4.
inline std::string in_function(std::string_view body) {
    return by_others("fl=a\nfn=f\n" + std::string(body));
}

}  // namespace callcost::test

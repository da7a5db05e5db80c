/// Common to answers about source lines and instructions: calls, jumps, and problems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "answers/called_functions.hpp"
#include "query/view.hpp"
#include "session/question.hpp"
#include "text/json.hpp"
#include <callcost/lines.hpp>

namespace callcost::engine {

/// Whether the question was refused because the profile was read without lines.
bool refuse_without_detail(Question& question, const Side& side);

/// A source file of one of the profiles. Negative ids are those of the old profile, as of functions.
struct FileAt {
    FileId file;
    bool is_before = false;
};
/// The members that say which file it is, inside of an object.
void write_file(JsonWriter& json, const Side& side, FileAt at);
/// `"files": [...]`: where the code of a function is, most expensive first, but its own file before all
/// others.
void write_files_of(JsonWriter& json, const Side& side, FunctionAt function);

/// `"problem": {"message", "hint"}`; nothing without a message.
void write_problem(JsonWriter& json, std::string_view message, std::string_view hint);

/// `"calls": [...]`, most expensive first.
void write_calls(JsonWriter& json, const Side& side, const CalledFunctions& functions, bool is_before);

/// `"jumps": [...]`; `write_target` says in an object of each where it leads.
template <class WriteTarget>
void write_jumps(JsonWriter& json, const std::vector<JumpSite>& jumps, WriteTarget write_target) {
    json.key("jumps");
    json.begin_array();
    for (const auto& jump : jumps) {
        json.begin_object();
        write_target(jump);
        json.member("executed", jump.executed);
        json.member("followed", jump.followed);
        json.member("conditional", jump.conditional);
        json.end_object();
    }
    json.end_array();
}

}  // namespace callcost::engine

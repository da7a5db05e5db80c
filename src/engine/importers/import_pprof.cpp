// pprof's protocol buffer, decompressed: https://github.com/google/pprof/blob/main/proto/profile.proto
//
// Strings and tables may come behind the samples, so the bytes are gone through twice.
#include <algorithm>
#include <charconv>
#include <utility>

#include <protozero/pbf_reader.hpp>

#include "encodings/import_input.hpp"
#include "encodings/protobuf_end.hpp"
#include "import_model/estimated_marks.hpp"
#include "import_model/imported_stacks.hpp"
#include "importers/importers.hpp"

namespace callcost::engine {
namespace {

using Wire = protozero::pbf_wire_type;
using protozero::pbf_reader;
using protozero::tag_and_type;

/// More inlined functions than any compiler puts into one another; a file could ask for all of them at every
/// frame.
constexpr std::size_t max_inlined = 256;
/// Far more than programs record. Every byte of a sample may stand for that many.
constexpr std::size_t max_frames = 100'000;

// Field numbers of profile.proto.
enum ProfileField : std::uint32_t {
    sample_type = 1,
    sample = 2,
    mapping = 3,
    location = 4,
    function = 5,
    string_table = 6,
    drop_frames = 7,
    duration_nanos = 10,
    comment = 13,
    default_sample_type = 14,
};

struct ValueType {
    std::uint64_t type = 0, unit = 0;  // strings
};
struct Mapping {
    std::uint64_t id = 0, file = 0;
};
struct Line {
    std::uint64_t function = 0, line = 0;
};
struct Location {
    std::uint64_t id = 0, mapping = 0, address = 0;
    std::size_t first_line = 0, lines = 0;      // in Tables::lines, the leaf first
    std::uint32_t first_frame = 0, frames = 0;  // in Tables::frames, the leaf first; 0 = not made yet
};
struct Function {
    std::uint64_t id = 0, name = 0, system_name = 0, file = 0, start_line = 0;
};

struct Tables {
    std::vector<ValueType> types;
    std::vector<std::string_view> strings;
    std::vector<std::uint64_t> comments;
    std::uint64_t default_type = 0;
    std::vector<Mapping> mappings;
    std::vector<Location> locations;
    std::vector<Function> functions;
    std::vector<Line> lines;
    KeyRows mapping_ids, location_ids, function_ids;  // rows of the vectors
};

/// Hands every number of a repeated field to `take`, packed or not.
template <class Take>
void take_numbers(pbf_reader& message, const Take& take) {
    if (message.wire_type() == Wire::varint) return take(message.get_uint64());
    for (const std::uint64_t number : message.get_packed_uint64()) take(number);
}

/// Hands the fields of a message of numbers to `take(field, number)`; skips what is no number.
template <class Take>
void take_fields(pbf_reader message, const Take& take) {
    while (message.next()) {
        if (message.wire_type() == Wire::varint)
            take(message.tag(), message.get_uint64());
        else
            message.skip();
    }
}

ValueType read_value_type(pbf_reader message) {
    ValueType type;
    take_fields(message, [&](std::uint32_t field, std::uint64_t number) {
        if (field == 1) type.type = number;
        if (field == 2) type.unit = number;
    });
    return type;
}

Mapping read_mapping(pbf_reader message) {
    Mapping mapping;
    take_fields(message, [&](std::uint32_t field, std::uint64_t number) {
        if (field == 1) mapping.id = number;
        if (field == 5) mapping.file = number;
    });
    return mapping;
}

Function read_function(pbf_reader message) {
    Function function;
    take_fields(message, [&](std::uint32_t field, std::uint64_t number) {
        if (field == 1) function.id = number;
        if (field == 2) function.name = number;
        if (field == 3) function.system_name = number;
        if (field == 4) function.file = number;
        if (field == 5) function.start_line = number;
    });
    return function;
}

Line read_line(pbf_reader message) {
    Line line;
    take_fields(message, [&](std::uint32_t field, std::uint64_t number) {
        if (field == 1) line.function = number;
        if (field == 2) line.line = number;
    });
    return line;
}

Location read_location(pbf_reader message, std::vector<Line>& lines) {
    Location location{.first_line = lines.size()};
    while (message.next()) {
        switch (message.tag_and_type()) {
            case tag_and_type(1, Wire::varint):
                location.id = message.get_uint64();
                break;
            case tag_and_type(2, Wire::varint):
                location.mapping = message.get_uint64();
                break;
            case tag_and_type(3, Wire::varint):
                location.address = message.get_uint64();
                break;
            case tag_and_type(4, Wire::length_delimited):
                lines.push_back(read_line(message.get_message()));
                break;
            default:
                message.skip();
        }
    }
    location.lines = lines.size() - location.first_line;
    return location;
}

std::string address_name(std::uint64_t address) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, address, 16).ptr;
    return "0x" + std::string(digits, end);
}

class PprofImport {
  public:
    PprofImport(std::string_view bytes, const ImportOptions& options) : bytes_(bytes), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::pprof;
        notes_.kind = "pprof profile";
        notes_.counted = "stack";
        if (auto done = read(); !done) return tl::unexpected(done.error());
        if (auto done = profile_.write({.command = command(),
                                        .descriptions = descriptions_,
                                        .first_event = first_event_,
                                        .unknown_count_as_one = options_.unknown_count_as_one},
                                       sink);
            !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    Result<void> read() {
        pbf_reader message(bytes_.data(), bytes_.size());
        Result<void> done;
        if (protobuf_end([&] { done = read(message); }) == ProtobufEnd::whole) return done;
        return tl::unexpected(
            not_in_format("malformed or truncated protocol buffer", 0, 0, bytes_.size() - message.length()));
    }

    Result<void> read(pbf_reader& message) {
        while (message.next()) read_table(message);
        if (tables_.types.empty())
            return tl::unexpected(not_in_format("not a pprof profile: no sample types"));
        if (tables_.types.size() > StackProfile::max_events)
            return tl::unexpected(Error{.code = ErrorCode::too_large, .detail = "more than 64 sample types"});
        take_comments();
        make_events();
        values_.resize(tables_.types.size());
        message = pbf_reader(bytes_.data(), bytes_.size());
        while (message.next())
            if (message.tag_and_type() == tag_and_type(sample, Wire::length_delimited)) {
                read_sample(message.get_message());
                if (!options_.budget.covers(bytes_.size(), profile_.max_bytes()))
                    return tl::unexpected(options_.budget.error("the stacks"));
            } else {
                message.skip();
            }
        return {};
    }

    template <class Row>
    void keep(std::vector<Row>& rows, KeyRows& ids, Row row) {
        if (row.id == 0 || ids.row(row.id) != rows.size())
            note(notes_, row.id == 0 ? ImportOddity::invalid_reference : ImportOddity::duplicate_id);
        else
            rows.push_back(row);
    }

    void read_table(pbf_reader& message) {
        Tables& to = tables_;
        switch (message.tag_and_type()) {
            case tag_and_type(sample_type, Wire::length_delimited):
                to.types.push_back(read_value_type(message.get_message()));
                break;
            case tag_and_type(mapping, Wire::length_delimited):
                keep(to.mappings, to.mapping_ids, read_mapping(message.get_message()));
                break;
            case tag_and_type(location, Wire::length_delimited):
                keep(to.locations, to.location_ids, read_location(message.get_message(), to.lines));
                break;
            case tag_and_type(function, Wire::length_delimited):
                keep(to.functions, to.function_ids, read_function(message.get_message()));
                break;
            case tag_and_type(string_table, Wire::length_delimited): {
                const auto text = message.get_view();
                to.strings.emplace_back(text.data(), text.size());
                break;
            }
            case tag_and_type(comment, Wire::varint):
            case tag_and_type(comment, Wire::length_delimited):
                take_numbers(message, [&](std::uint64_t text) { to.comments.push_back(text); });
                break;
            case tag_and_type(default_sample_type, Wire::varint):
                to.default_type = message.get_uint64();
                break;
            case tag_and_type(drop_frames, Wire::varint):
                if (message.get_uint64() != 0) note(notes_, ImportOddity::frames_to_drop);
                break;
            default:
                message.skip();
        }
    }

    std::string_view string(std::uint64_t number) {
        if (number < tables_.strings.size()) return tables_.strings[static_cast<std::size_t>(number)];
        if (number != 0) note(notes_, ImportOddity::invalid_reference);
        return {};
    }

    // The units are the long names, where F68 finds them, so that formulas can use the names.
    void make_events() {
        first_event_ = static_cast<std::uint32_t>(tables_.types.size() - 1);  // pprof's own default
        for (const ValueType& type : tables_.types) {
            const std::string_view name = string(type.type), unit = string(type.unit);
            const std::string_view long_name = unit == "count" ? std::string_view() : unit;
            const std::uint32_t row = profile_.event(name, long_name);
            if (type.type == tables_.default_type && type.type != 0) first_event_ = row;
        }
    }

    void read_sample(pbf_reader message) {
        ++notes_.samples;
        stack_.clear();
        std::size_t count = 0;
        bool has_labels = false;
        while (message.next()) {
            switch (message.tag_and_type()) {
                case tag_and_type(1, Wire::varint):
                case tag_and_type(1, Wire::length_delimited):
                    take_numbers(message, [&](std::uint64_t id) { add_location(id); });
                    break;
                case tag_and_type(2, Wire::varint):
                case tag_and_type(2, Wire::length_delimited):
                    take_numbers(message, [&](std::uint64_t value) {
                        if (count < values_.size()) values_[count] = static_cast<std::int64_t>(value);
                        ++count;
                    });
                    break;
                case tag_and_type(3, Wire::length_delimited):
                    has_labels = true;
                    message.skip();
                    break;
                default:
                    message.skip();
            }
        }
        if (has_labels) note(notes_, ImportOddity::labels_ignored);
        if (count != values_.size()) note(notes_, ImportOddity::value_count);
        if (stack_.empty()) note(notes_, ImportOddity::no_stack);
        if (stack_.size() > max_frames) {
            note(notes_, ImportOddity::stack_cut);
            stack_.resize(max_frames);
        }
        std::reverse(stack_.begin(), stack_.end());
        profile_.set_stack(stack_);
        for (std::uint32_t event = 0; event < std::min(count, values_.size()); ++event)
            profile_.add({.event = event, .cost = values_[event]});
    }

    void add_location(std::uint64_t id) {
        if (stack_.size() > max_frames) return;
        const std::uint32_t row = tables_.location_ids.find(id);
        if (row == no_row) {
            note(notes_, ImportOddity::invalid_reference);
            stack_.push_back({.function = profile_.function({}, {}, "(unknown)")});
            return;
        }
        Location& location = tables_.locations[row];
        if (location.frames == 0) make_frames(location);
        const auto frames = std::span(frames_).subspan(location.first_frame, location.frames);
        stack_.insert(stack_.end(), frames.begin(), frames.end());
    }

    void make_frames(Location& location) {
        const std::string_view object = object_of(location);
        location.first_frame = static_cast<std::uint32_t>(frames_.size());
        const std::size_t lines = std::min(location.lines, max_inlined);
        if (lines < location.lines) note(notes_, ImportOddity::inlining_cut);
        for (std::size_t i = 0; i < lines; ++i)
            frames_.push_back(frame_of(tables_.lines[location.first_line + i], location, object));
        if (lines == 0) frames_.push_back({.function = unnamed(location, object)});
        location.frames = static_cast<std::uint32_t>(frames_.size()) - location.first_frame;
    }

    std::string_view object_of(const Location& location) {
        if (location.mapping == 0) return {};
        const std::uint32_t row = tables_.mapping_ids.find(location.mapping);
        if (row == no_row) note(notes_, ImportOddity::invalid_reference);
        return row == no_row ? std::string_view() : string(tables_.mappings[row].file);
    }

    StackFrame frame_of(const Line& line, const Location& location, std::string_view object) {
        const std::uint32_t row = tables_.function_ids.find(line.function);
        if (row == no_row) {
            if (line.function != 0) note(notes_, ImportOddity::invalid_reference);
            return {.function = unnamed(location, object)};
        }
        const Function& function = tables_.functions[row];
        std::string_view name = string(function.name);
        if (name.empty()) name = string(function.system_name);
        const std::uint32_t place = profile_.place({}, line.line);
        if (name.empty()) return {.function = unnamed(location, object), .place = place};
        return {.function = profile_.function(object, string(function.file), name, function.start_line),
                .place = place};
    }

    std::uint32_t unnamed(const Location& location, std::string_view object) {
        if (location.address == 0) return profile_.function(object, {}, "(unknown)");
        return profile_.function(object, {}, address_name(location.address));
    }

    /// Estimated stacks tell no more than the calls, as what was recorded does.
    void take_comments() {
        bool are_estimated = false;
        for (const std::uint64_t text : tables_.comments) {
            descriptions_.emplace_back(string(text));
            are_estimated = are_estimated || descriptions_.back().starts_with(estimated_stacks_comment);
        }
        if (!are_estimated) return;
        note(notes_, ImportOddity::estimated_stacks);
        notes_.limits = "its stacks are estimates";
        profile_.take_for_estimates();
    }

    /// The program is what is mapped first.
    std::string_view command() { return tables_.mappings.empty() ? "" : string(tables_.mappings[0].file); }

    std::string_view bytes_;
    const ImportOptions& options_;
    ImportNotes notes_;
    Tables tables_;
    StackProfile profile_{options_.stacks};
    std::uint32_t first_event_ = 0;
    std::vector<StackFrame> frames_;  // of locations
    std::vector<StackFrame> stack_;   // of the sample at hand
    std::vector<std::int64_t> values_;
    std::vector<std::string> descriptions_;
};

}  // namespace

Result<ImportNotes> import_pprof(const Source& source, const ImportOptions& options, const Sink& sink) {
    const Result<std::string> bytes = read_all(source);
    if (!bytes) return tl::unexpected(bytes.error());
    if (bytes->starts_with("\x1f\x8b"))
        return tl::unexpected(not_in_format("still compressed: decompress it first"));
    return PprofImport(*bytes, options).run(sink);
}

}  // namespace callcost::engine

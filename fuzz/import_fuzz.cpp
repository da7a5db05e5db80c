// Importers of other formats: the first byte chooses the format and the options, the rest is the file.
// Whatever is written is read back without errors, and has the totals that it was given.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "importers/importers.hpp"
#include "importers/known_formats.hpp"
#include "record_sums.hpp"
#include <callcost/read.hpp>

namespace callcost::fuzz {
namespace {

using engine::ImportFormat;
using engine::ImportNotes;
using engine::ImportOptions;

struct Written {
    Result<ImportNotes> notes;
    std::string text;
};

Written import(ImportFormat format, const Source& source, const ImportOptions& options) {
    std::string text;
    auto notes = engine::import_stacks(format, source, options, to_memory(text));
    return {.notes = std::move(notes), .text = std::move(text)};
}

void demand_sound(const std::string& text) {
    const auto profile = read_profile(from_memory(text));
    demand(profile.has_value());
    for (const Diagnostic& diagnostic : profile->diagnostics())
        demand(kind_of(diagnostic.id).severity != Severity::error);
    for (std::size_t row = 0; row < profile->events().size(); ++row) {
        Cost total = 0;
        for (const Part& part : profile->parts()) total += part.totals.value()[EventId(row)];
        demand(total == profile->total(EventId(row)));
    }
}

void check(std::string_view bytes) {
    if (bytes.empty()) return;
    const auto choice = static_cast<unsigned char>(bytes[0]);
    const std::string_view file = bytes.substr(1);
    (void)engine::detect(file);
    Error refusal{.code = ErrorCode::not_a_profile, .detail = {}};
    engine::name_file_kind(refusal, file, file.substr(0, 8));
    const auto format = static_cast<ImportFormat>(choice % 16 % std::size(engine::import_formats));
    const ImportOptions options{
        .folded_columns = static_cast<engine::FoldedColumns>(choice / 16 % 3),
        .process_root = choice / 64 % 2 == 0 ? engine::ProcessRoot::none : engine::ProcessRoot::name,
        .unknown_count_as_one = choice >= 128};
    const Written whole = import(format, from_memory(file), options);
    const Written in_pieces = import(format, in_blocks(file), options);
    demand(whole.notes.has_value() == in_pieces.notes.has_value() && whole.text == in_pieces.text);
    demand(whole.notes.has_value() || whole.text.empty());
    if (whole.notes) demand_sound(whole.text);
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> bytes(data, data + size);  // its own memory: reading past its end is noticed
    callcost::fuzz::check({bytes.data(), bytes.size()});
    return 0;
}

/// Header lines into Part and event types (docs/format.md 4.2).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "parser/diagnostic_log.hpp"
#include "parser/header_block.hpp"
#include "profile/profile_data.hpp"

namespace callcost {

/// Fills the last part of a ProfileData from its header lines, and unites the event lists of all parts by
/// name (F14).
class PartHeaders {
  public:
    explicit PartHeaders(ProfileData& data) : data_(data) {}

    void begin_source() { announced_cost_ = 0; }
    /// A part begins; within a profile it inherits from the one before (F24).
    void begin(bool new_profile, std::uint32_t source, std::uint32_t profile);
    void take(const HeaderLine& header, DiagnosticLog& log);
    /// The part is over: what may be written before or after what it depends on gets its meaning.
    void end(DiagnosticLog& log);
    /// How much is known of derived and long-named event types.
    struct Mark {
        std::size_t formulas = 0, long_names = 0;
    };
    [[nodiscard]] Mark mark() const { return {data_.formulas.size(), long_names_.size()}; }
    /// The source turned out to be no profile: its parts are gone, and what came since the mark goes, too.
    void drop(const Mark& mark);
    /// All files are read.
    void finish();

    /// The first numbers of the source's summary lines so far, added up.
    [[nodiscard]] std::uint64_t announced_cost() const { return announced_cost_; }

  private:
    [[nodiscard]] Part& part() { return data_.parts.back(); }
    std::string_view keep(std::string_view text);
    EventId event_named(std::string_view name);
    HeaderNumber take_number(const HeaderLine& header, DiagnosticLog& log);
    void take_desc(const HeaderLine& header);
    void take_positions(const HeaderLine& header);
    void take_events(const HeaderLine& header);
    void take_event(const HeaderLine& header, DiagnosticLog& log);
    std::optional<Costs> costs_of(const HeaderLine& header, DiagnosticLog& log, DiagnosticId unreadable);

    ProfileData& data_;
    std::unordered_map<std::string, EventId> events_;
    std::vector<std::pair<std::string, std::string>> long_names_;  // by event name, the first of each
    std::unordered_map<std::string, std::size_t> long_name_of_;    // index in long_names_, by event name
    std::unordered_map<std::string, std::string> formula_of_;      // without blanks, by event name
    std::unordered_map<std::string, std::string> event_creators_;
    std::optional<HeaderLine> summary_, totals_;
    std::uint64_t announced_cost_ = 0;
    bool first_of_profile_ = false;
    bool own_events_ = false;
    bool open_ = false;
};

}  // namespace callcost

// clang-format off
/// The state machine over the lines of a profile (docs/format.md, sections 4 to 6): the one place that knows
/// what a line means. A Sink, statically dispatched, takes the result:
///
///   NameSlot name(const NameRef&)            a name occurred; the slot stands for it from now on
///   NameSlot known(NameKind, IdText)         the slot that a use of this id would get, or unset_slot
///   void part(bool new_profile)              a part begins (F21); all names are unknown again
///   void header(const HeaderLine&)           a header line of the part that began last
///   void dialect(Dialect)                    what the part's profile is written in, if not generic (F20)
///   void function(object, file, name, LineStart)  fn=, as slots; records follow, or none
///   void inlined(file, name)                 cfni=, as slots; until the next one or fn=; unknown: own code
///   void cost(const ScannedCost&)            a plain cost line
///   void begin_plain(NameSlot file)          plain cost lines follow, all in this file:
///   void plain(PackedPlace, cost or costs)     one of them, of one column or more; the first comes at once
///   void end_plain(lines, sum or sums)         no more of them; how many there were, and their costs added up
///   void call(const ScannedCall&)
///   void jump(const ScannedJump&)
///
/// Text comes in chunks of whole lines. Every line ends with LF, and at least 16 bytes after the chunk may be
/// read.
// clang-format on
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "base/numbers.hpp"
#include "parser/line_tokens.hpp"
#include "parser/scan_state.hpp"
#include "parser/scanner_types.hpp"

namespace callcost {

template <class Sink>
class Scanner {
  public:
    Scanner(Sink& sink, DiagnosticLog& log) : sink_(&sink), log_(&log) { reset_names(); }

    /// Goes on with another sink, whose name slots are these.
    void attach(Sink& sink, DiagnosticLog& log, const CurrentNames& names) {
        sink_ = &sink;
        log_ = &log;
        names_ = names;
    }

    /// Reads the lines of [begin, end). `offset` is that of the chunk in the input, for F11.
    void scan(const char* begin, const char* end, std::uint64_t offset);
    /// The input is over. `cut` tells that its last line had no line end.
    void finish(bool cut, const LineView& last_line);

    /// The chunk of so many bytes is done: what is still open refers to it by places before the next one's
    /// begin.
    void next_chunk(std::size_t bytes);

    /// Forgets what only the lines before can tell, as before a line that begins with `fn=`.
    void forget_place() {
        pending_ = 0;
        block_.clear();
        base_known_ = base_guessed_ = false;
        function_used_ = true;
        called_object_late_ = called_file_late_ = false;
        for (auto i = static_cast<std::size_t>(Current::called_object);
             i <= static_cast<std::size_t>(Current::jump_function); ++i)
            names_[i] = unset_slot;
        line_ = 0;
        minus_one_ = {};
        columns_changed();
    }
    /// After forget_place, and having read a chunk that begins with `fn=`: whether `before`, which has read
    /// everything up to there, would have read it alike. `assumed` is the state this one began with.
    [[nodiscard]] bool follows(const Scanner& before, const ScanState& assumed) const {
        ScanState state = before.state_;
        state.has_function = assumed.has_function;
        state.unspecified = assumed.unspecified;
        bool open = before.pending_ != 0 || !before.block_.empty() || !before.function_used_ ||
                    before.state_.unspecified;
        for (auto i = static_cast<std::size_t>(Current::called_object);
             i <= static_cast<std::size_t>(Current::jump_function); ++i)
            open = open || before.names_[i] != unset_slot;
        return !open && !base_guessed_ && !rejected_ && state == assumed;
    }
    [[nodiscard]] const ScanState& state() const { return state_; }
    [[nodiscard]] const CurrentNames& names() const { return names_; }

    /// As follows() is true: what this one did not need to know, because nothing depended on it, but the next
    /// chunk may.
    void take_place(const Scanner& before) {
        if (base_known_) return;
        base_ = before.base_;
        bases_ = before.bases_;
        base_known_ = before.base_known_;
        columns_changed();
    }

    [[nodiscard]] bool rejected() const { return rejected_; }
    /// Lines of the chunk.
    [[nodiscard]] std::uint64_t lines() const { return line_; }
    /// What the chunk has of them (F39).
    [[nodiscard]] const MinusOneLines& minus_one_lines() const { return minus_one_; }
    /// Whether a copy is cheap enough to scan a chunk ahead with it: there are few columns, and no header
    /// block is open, after which everything may be different anyway.
    [[nodiscard]] bool is_small() const {
        return block_.empty() && costs_.size() + columns_.size() + bases_.size() <= 1024;
    }
    [[nodiscard]] bool accepted() const { return state_.accepted; }
    /// Anything but blanks and comments was there.
    [[nodiscard]] bool has_content() const {
        return rejected_ || state_.body_seen || part_open_ || !block_.empty();
    }

  private:
    enum Pending : unsigned { pending_call = 1, pending_jump = 2, pending_cfn = 4 };
    enum class Key : std::uint8_t {
        ob,
        fl,
        fi,
        fe,
        fn,
        cob,
        cfi,
        cfn,
        cfni,
        jfi,
        jfn,
        frfn,
        calls,
        rcalls,
        jump,
        jcnd,
        hidden,
        rec,
        totals,
        none
    };

    NameSlot& now(Current which) { return names_[static_cast<std::size_t>(which)]; }
    LineView view(const char* line, const char* eol) const {
        const auto size = static_cast<std::size_t>(eol - line);
        return {{line, size - (size != 0 && eol[-1] == '\r' ? 1U : 0U)},
                line_,
                static_cast<std::uint64_t>(line - begin_)};
    }
    /// The line that is being read, for diagnostics; empty at the end of the input.
    LineView here() const {
        return line_begin_ == nullptr ? last_line_ : view(line_begin_, end_of(line_begin_));
    }
    const char* end_of(const char* p) const {
        return static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end_ - p)));
    }

    struct Position {
        const char* end = nullptr;  // null: not understood
        std::uint64_t value = 0;
    };
    static Position fast_number(const char* p);
    static Position fast_position(const char* p, std::uint64_t base);
    Position fast_line_position(const char* p, std::uint64_t base);
    const char* fast_place(const char* p, PackedPlace& place);
    const char* fast_costs(const char* p, std::size_t& count);
    const char* fast_row(const char* p, std::size_t& count);
    const char* fast_cost_line(const char* p);
    template <bool WithAddress, bool OneColumn>
    const char* plain_lines(const char* p);
    const char* plain_lines(const char* p);
    static const char* one_cost(const char* p, CostText& memo);
    const char* fast_source_line(const char* p);
    const char* fast_call(const char* p);
    const char* fast_jump(const char* p);
    template <Key Which>
    const char* fast_name(const char* p);
    const char* fast_new_name(const char* p, NameKind kind, NameSlot& slot);
    const char* fast_spec_line(const char* p);
    /// Whether a relative line needs no second thought: it cannot mean "no line", or another one before it
    /// could not (F39).
    bool relative_lines_known() const { return !state_.foreign_creator || minus_one_.other_relative; }
    void any_line(const char* begin, const char* eol);
    void cost_line(const LineView& line);
    void spec_line(Key key, std::string_view value, const LineView& line);
    void totals_line(std::string_view value, const LineView& line);
    void hidden_line(Key key, const LineView& line);
    void inlined_line(std::string_view value, const LineView& line);
    void calls_line(Key key, std::string_view value, const LineView& line);
    void jump_line(Key key, std::string_view value, const LineView& line);
    NameRef name_ref(Key key, std::string_view value, const LineView& line);
    ScannedTarget read_target(std::string_view text, const LineView& line);
    static Key key_of(std::string_view name);
    std::uint64_t position(std::string_view token, std::size_t column, const LineView& line, bool counts,
                           bool* minus_one);

    // records
    void record(ScannedCost& cost) {
        function_used_ = true;
        if (pending_ == 0) [[likely]] {
            plain(cost);
        } else {
            after_pending(cost);
        }
    }
    void plain(ScannedCost& cost);
    void after_pending(ScannedCost& cost);
    void move_base(const ScannedCost& cost);
    void place_call_or_jump(const ScannedCost& cost);
    void emit_call(const ScannedCost* cost);
    void finish_call(bool has_place);
    void emit_jump(const ScannedCost* cost);
    void finish_jump(bool has_place);
    void drop_call();
    void drop_pending();
    void forget_called() {
        now(Current::called_object) = now(Current::called_file) = now(Current::called_function) = unset_slot;
    }
    void need_function();

    // names
    void name_line(Key key, NameSlot slot, bool nested);
    static constexpr NameKind kind_of_name(Key key) {
        if (key == Key::ob || key == Key::cob) return NameKind::object;
        return key == Key::fn || key == Key::cfn || key == Key::jfn || key == Key::frfn ? NameKind::function
                                                                                        : NameKind::file;
    }
    void set_function(NameSlot name);
    void end_function();
    void reset_names();

    // header
    void accept(const LineView& line) {
        if (state_.accepted) return;
        state_.accepted = true;
        if (offset_ + line.offset > detection_limit) rejected_ = true;
    }
    void header_line(const LineView& line);
    enum class BlockStarts : std::uint8_t { nothing, part, profile };
    [[nodiscard]] BlockStarts what_block_starts(bool at_end) const;
    [[nodiscard]] bool is_late(std::span<const HeaderLine> lines) const;
    [[nodiscard]] bool block_is_cachegrind() const;
    void end_header_block(bool body_is_fl, bool at_end);
    void begin_part(bool new_profile, const HeaderLine& header);
    void apply_header(const HeaderLine& header);
    void check_inherited();
    void columns_changed();
    void body_begins(bool is_fl) {
        if (!block_.empty()) end_header_block(is_fl, false);
        if (!state_.body_seen) {
            state_.body_seen = true;
            if (!part_open_) begin_part(true, HeaderLine{});
        }
    }

    Sink* sink_;
    DiagnosticLog* log_;
    const char* begin_ = nullptr;
    std::uint64_t offset_ = 0;  // of begin_
    const char* end_ = nullptr;
    const char* line_begin_ = nullptr;
    LineView last_line_;      // at the end of the input
    std::uint64_t line_ = 0;  // lines of the chunk begun so far

    ScanState state_;
    bool fast_ = false;       // fast_cost_line may be tried
    bool callgrind_ = false;  // dialect
    bool rejected_ = false;

    // positions (F38-F41)
    bool base_known_ = true;
    bool base_guessed_ = false;
    PackedPlace base_;
    std::vector<std::uint64_t> bases_;    // Layout::other
    std::vector<std::uint64_t> columns_;  // Layout::other: the positions of the line
    std::vector<Cost> costs_;
    std::vector<Cost> sums_;  // of plain lines; all 0 between them
    MinusOneLines minus_one_;
    CostText cost_text_;

    // names and files (F47-F54)
    CurrentNames names_{};
    bool function_used_ = true;  // a record came since fn=
    bool file_fresh_ = false;    // fl, fi, fe or fn came since the last record (F51)
    bool in_group_ = false;      // of calls and jumps at one place (F51)
    PackedPlace group_;
    bool called_object_late_ = false, called_file_late_ = false;  // written after the cfn= in force (F55)

    // calls and jumps (F53-F64)
    unsigned pending_ = 0;
    bool split_ = false;  // split-call was reported
    ScannedCall call_;
    ScannedJump jump_;

    // header (F21)
    std::vector<HeaderLine> block_;
    bool part_open_ = false;
    bool first_part_ = true;                           // of the profile
    bool got_events_ = false, got_positions_ = false;  // in this part
    HeaderLine part_header_;                           // the line that began the part, without its value
};

}  // namespace callcost

#include "parser/scanner_fast_impl.hpp"
#include "parser/scanner_header_impl.hpp"
#include "parser/scanner_lines_impl.hpp"
#include "parser/scanner_records_impl.hpp"

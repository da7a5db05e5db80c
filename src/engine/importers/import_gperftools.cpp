// What gperftools began, and jemalloc and Go took up: stacks of addresses with their costs, as text or, for
// times, as machine words; then what was mapped where in the process. google-pprof --raw puts names in front.
// https://gperftools.github.io/gperftools/cpuprofile-fileformat.html
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "encodings/gperftools_words.hpp"
#include "encodings/import_input.hpp"
#include "import_model/address_stacks.hpp"
#include "import_model/memory_map.hpp"
#include "importers/importers.hpp"

namespace callcost::engine {
namespace {

using std::string_view_literals::operator""sv;

/// What the records of a text are.
enum class RecordKind : std::uint8_t {
    unknown,
    time,           ///< no text, but words
    heap,           ///< `OBJECTS: BYTES [OBJECTS: BYTES] @ ADDRESSES`: in use, allocated
    jemalloc_heap,  ///< `@ ADDRESSES`, then the numbers of all threads and of each
    growth,         ///< as heap: what was taken of the system
    contention,     ///< `CYCLES COUNT @ ADDRESSES`
    count,          ///< `COUNT @ ADDRESSES`
};

/// Far more than programs record: gperftools has 254 at most.
constexpr std::uint64_t most_frames_of_a_record = 100'000;

/// A text that is read from left to right.
class Words {
  public:
    explicit Words(std::string_view text) : left_(text) {}

    void skip_blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(" \t"), left_.size())); }
    [[nodiscard]] bool take(std::string_view wanted) {
        skip_blanks();
        if (!left_.starts_with(wanted)) return false;
        left_.remove_prefix(wanted.size());
        return true;
    }
    [[nodiscard]] bool take(std::int64_t& number) {
        skip_blanks();
        const std::size_t begin = left_.starts_with('-') ? 1 : 0;
        const std::size_t end = std::min(left_.find_first_not_of("0123456789", begin), left_.size());
        const auto digits = parse_digits(left_.substr(begin, end - begin));
        if (!digits || *digits > INT64_MAX) return false;
        number = static_cast<std::int64_t>(*digits);
        if (begin == 1) number = -number;
        left_.remove_prefix(end);
        return true;
    }
    [[nodiscard]] bool take_address(std::uint64_t& address) {
        (void)take("0x");
        return take_hexadecimal(left_, address);
    }
    [[nodiscard]] std::string_view left() const { return left_; }

  private:
    std::string_view left_;
};

/// `OBJECTS: BYTES [OBJECTS: BYTES]`.
bool take_allocations(Words& words, AddressStacks::Values& values) {
    return words.take(values[0]) && words.take(":") && words.take(values[1]) && words.take("[") &&
           words.take(values[2]) && words.take(":") && words.take(values[3]) && words.take("]");
}

/// Without its decimals.
std::int64_t whole(double number) {
    constexpr double most = 9e18;
    return static_cast<std::int64_t>(std::clamp(number, -most, most));
}

/// What the samples of a heap stand for, if one is taken every `rate` bytes: an allocation of some size is
/// met with the probability 1 - exp(-size / rate).
void unsample(std::int64_t& objects, std::int64_t& bytes, std::int64_t rate) {
    if (rate <= 1 || objects == 0 || bytes == 0) return;
    const double size = static_cast<double>(bytes) / static_cast<double>(objects);
    if (size <= 0) return;
    const double factor = 1 / std::max(1 - std::exp(-size / static_cast<double>(rate)), 1e-15);
    objects = whole(static_cast<double>(objects) * factor);
    bytes = whole(static_cast<double>(bytes) * factor);
}

std::int64_t product(std::int64_t a, std::int64_t b) {  // wraps (F82)
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t sum(std::int64_t a, std::int64_t b) {  // wraps (F82)
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// google-pprof tells functions by their addresses, too: `a(int)<00000000000012ab>--b`.
std::string without_addresses(std::string_view names) {
    constexpr std::size_t digits = 16, size = digits + 2;
    std::string text;
    for (std::size_t open = names.find('<', 1); open != std::string_view::npos; open = names.find('<', 1)) {
        text += names.substr(0, open);
        names.remove_prefix(open);
        const std::string_view mark = names.substr(0, size), rest = names.substr(mark.size());
        if (mark.size() == size && mark.back() == '>' && (rest.empty() || rest.starts_with("--")) &&
            mark.find_first_not_of("0123456789abcdef", 1) == size - 1)
            names = rest;
        if (names.empty()) break;
    }
    return text.append(names);
}

/// `16 KiB`.
std::string size_text(std::int64_t bytes) {
    constexpr std::int64_t kib = 1024;
    if (bytes % (kib * kib) == 0) return std::to_string(bytes / (kib * kib)) + " MiB";
    if (bytes % kib == 0) return std::to_string(bytes / kib) + " KiB";
    return std::to_string(bytes) + " bytes";
}

/// `4 ms`.
std::string period_text(std::uint64_t microseconds) {
    constexpr std::uint64_t in_ms = 1000;
    return microseconds % in_ms == 0 ? std::to_string(microseconds / in_ms) + " ms"
                                     : std::to_string(microseconds) + " us";
}

class AddressProfileImport {
  public:
    AddressProfileImport(ImportFormat format, const Source& source, const ImportOptions& options)
        : lines_(source, options.longest_line, notes_), stacks_(options, notes_) {
        notes_.format = format;
        notes_.counted = "stack";
    }

    Result<ImportNotes> run(const Sink& sink) {
        if (auto done = read(); !done) return tl::unexpected(done.error());
        if (lines_.error()) return tl::unexpected(*lines_.error());
        if (lines_.bytes() == 0) return tl::unexpected(Error{.code = ErrorCode::empty_file, .detail = {}});
        const std::string_view command = command_.empty() ? stacks_.map().first_object() : command_;
        if (auto done = stacks_.write(columns(), command, lines_.bytes(), sink); !done)
            return tl::unexpected(done.error());
        say_what_is_unnamed();
        return std::move(notes_);
    }

  private:
    enum class Section : std::uint8_t {
        records,
        symbols,  ///< of google-pprof --raw
        map,
    };

    Result<void> read() {
        for (;;) {
            if (const auto words = gperftools_words(lines_.peek(bytes_that_tell_words)))
                return read_words(*words);
            const auto line = lines_.next();
            if (!line) break;
            if (section_ == Section::symbols)
                read_symbol(*line);
            else if (section_ == Section::map)
                stacks_.map().add_line(*line);
            else if (auto done = read_line(*line); !done)
                return done;
        }
        const bool lacks_numbers = is_open_ && kind_ == RecordKind::jemalloc_heap && !has_numbers_;
        end_record();
        if (lacks_numbers || lines_.ends_within_line() || (section_ != Section::map && lacks_costs()))
            note(notes_, ImportOddity::trace_cut);
        if (kind_ == RecordKind::unknown && !lines_.error() && lines_.bytes() != 0)
            return tl::unexpected(
                not_in_format("neither a profile of gperftools or jemalloc nor Go's text", 1, 1));
        return {};
    }

    // Times, as words

    Result<void> read_words(GperftoolsWords words) {
        kind_ = RecordKind::time;
        notes_.kind = "gperftools CPU profile";
        std::string bytes;
        lines_.take(words.header_bytes(), bytes);
        period_ = words.word(bytes, 3);
        if (period_ > 1) notes_.limits = "a sample every " + period_text(period_);
        for (;;) {
            lines_.take(2 * words.size(), bytes);
            if (bytes.empty() && stacks_.has_symbols()) return {};  // google-pprof leaves the end out
            if (bytes.size() < 2 * words.size()) break;
            const std::uint64_t count = words.word(bytes, 0), frames = words.word(bytes, 1);
            if (frames > most_frames_of_a_record)
                return tl::unexpected(not_in_format("sample " + std::to_string(notes_.samples + 1) +
                                                    " says that it has " + std::to_string(frames) +
                                                    " frames"));
            lines_.take(static_cast<std::size_t>(frames) * words.size(), bytes);
            if (bytes.size() < frames * words.size()) break;
            if (count == 0 && frames == 1 && words.word(bytes, 0) == 0) {
                while (const auto line = lines_.next()) stacks_.map().add_line(*line);
                return {};
            }
            add_sample(words, count, bytes);
        }
        note(notes_, ImportOddity::trace_cut);
        return {};
    }

    /// The signal's handler and the stack may both name the leaf.
    void add_sample(GperftoolsWords words, std::uint64_t count, std::string_view frames) {
        stacks_.begin();
        std::uint64_t leaf = 0;
        for (std::size_t i = 0; i < frames.size() / words.size(); ++i) {
            const std::uint64_t address = words.word(frames, i);
            if (i == 1 && address == leaf) continue;
            if (i == 0) leaf = address;
            stacks_.add_address(address, i == 0);
        }
        const auto samples = static_cast<std::int64_t>(count);
        constexpr std::int64_t in_us = 1000;
        stacks_.end({product(product(samples, static_cast<std::int64_t>(period_)), in_us), samples});
    }

    // Text

    void read_symbol(std::string_view line) {
        if (line.starts_with("---")) {
            section_ = Section::records;
            return;
        }
        Words words(line);
        std::uint64_t address = 0;
        if (words.take("binary=")) {
            command_ = words.left();
        } else if (line.starts_with("0x") && words.take_address(address)) {
            words.skip_blanks();
            if (!words.left().empty()) stacks_.add_symbol(address, without_addresses(words.left()));
        }
    }

    Result<void> read_line(std::string_view line) {
        if (line.starts_with('#')) {
            read_frame(line);
            return {};
        }
        if (kind_ == RecordKind::jemalloc_heap && line.find(':') != std::string_view::npos &&
            line.starts_with(' ')) {
            read_jemalloc_numbers(line);
            return {};
        }
        end_record();
        if (line.find_first_not_of(" \t") == std::string_view::npos) return {};
        if (line.starts_with("MAPPED_LIBRARIES:") || line.starts_with("--- Memory map")) {
            section_ = Section::map;
        } else if (line.starts_with("--- symbol")) {
            section_ = Section::symbols;
        } else if (line.starts_with("--- profile") || line.starts_with("--- heap") ||
                   line.starts_with("--- growth")) {
            // What comes says so itself.
        } else if (kind_ == RecordKind::unknown) {
            if (!read_heading(line))
                return tl::unexpected(not_in_format(
                    "neither a profile of gperftools or jemalloc nor Go's text", lines_.number(), 1));
        } else if (!read_record(line) && !read_setting(line)) {
            note(notes_, ImportOddity::unreadable_line, lines_.number());
        }
        return {};
    }

    bool read_heading(std::string_view line) {
        if (line.starts_with("heap profile:")) return read_heap_heading(line);
        if (line.starts_with("heap_v2/")) {
            kind_ = RecordKind::jemalloc_heap;
            notes_.kind = "jemalloc heap profile";
            Words words(line.substr("heap_v2/"sv.size()));
            return words.take(rate_);
        }
        if (line.starts_with("--- contention") || line.starts_with("--- mutex")) {
            kind_ = RecordKind::contention;
            notes_.kind = line.starts_with("--- mutex")         ? "Go mutex profile"
                          : line.starts_with("--- contentionz") ? "contention profile"
                                                                : "Go block profile";
            return true;
        }
        if (const std::size_t total = line.find("profile: total "); total != std::string_view::npos) {
            Words words(line.substr(total + "profile: total "sv.size()));
            (void)words.take(stated_[0]);
        }
        if (line.starts_with("goroutine profile:")) {
            count_name_ = "goroutine";
            notes_.kind = "Go goroutine profile";
        } else if (line.starts_with("threadcreate profile:")) {
            count_name_ = "threadcreate";
            notes_.kind = "Go threadcreate profile";
        } else {
            return false;
        }
        kind_ = RecordKind::count;
        return true;
    }

    /// `heap profile: OBJECTS: BYTES [OBJECTS: BYTES] @ HOW/RATE`; Go gives twice its rate.
    bool read_heap_heading(std::string_view line) {
        const std::size_t at = line.rfind('@');
        if (at == std::string_view::npos) return false;
        Words sums(line.substr("heap profile:"sv.size()));
        (void)take_allocations(sums, stated_);
        Words words(line.substr(at + 1));
        words.skip_blanks();
        const std::string_view how = words.left();
        kind_ = how.starts_with("growth") || how.starts_with("fragmentation") ? RecordKind::growth
                                                                              : RecordKind::heap;
        notes_.kind = kind_ == RecordKind::growth ? "tcmalloc heap growth" : "tcmalloc heap profile";
        const std::size_t slash = how.find('/');
        if (slash == std::string_view::npos || how.starts_with("heapprofile")) return true;
        Words number(how.substr(slash + 1));
        if (!number.take(rate_)) return true;
        if (how.starts_with("heap/")) {
            rate_ /= 2;
            notes_.kind = "Go heap profile";
        }
        return true;
    }

    bool read_record(std::string_view line) {
        Words words(line);
        AddressStacks::Values values{};
        bool is_record = false;
        switch (kind_) {
            case RecordKind::heap:
            case RecordKind::growth:
                is_record = take_allocations(words, values);
                break;
            case RecordKind::contention:
                is_record = words.take(values[0]) && words.take(values[1]);
                break;
            case RecordKind::count:
                is_record = words.take(values[0]);
                break;
            default:
                is_record = true;
        }
        if (!is_record || !words.take("@")) return false;
        values_ = values;
        for (std::size_t i = 0; i < values.size(); ++i)
            recorded_[i] = sum(recorded_[i], std::max<std::int64_t>(values[i], 0));
        is_open_ = true;
        has_numbers_ = false;
        stacks_.begin();
        for (std::uint64_t address = 0; words.take_address(address);) stacks_.add_address(address);
        words.skip_blanks();
        if (!words.left().empty()) note(notes_, ImportOddity::unreadable_line, lines_.number());
        return true;
    }

    /// Of all threads: `t*: OBJECTS: BYTES [OBJECTS: BYTES]`. Those before the first stack are of all stacks.
    void read_jemalloc_numbers(std::string_view line) {
        Words words(line);
        if (!words.take("t*:")) return;
        AddressStacks::Values values{};
        if (!take_allocations(words, values))
            return note(notes_, ImportOddity::unreadable_line, lines_.number());
        has_numbers_ = true;
        if (is_open_) values_ = values;
    }

    /// Of contention: `cycles/second = 2596143120`, `sampling period=1`.
    bool read_setting(std::string_view line) {
        const std::size_t sign = line.find('=');
        if (kind_ != RecordKind::contention || sign == std::string_view::npos) return false;
        Words value(line.substr(sign + 1));
        std::int64_t number = 0;
        if (value.take(number) && number > 0) {
            if (line.starts_with("cycles/second")) cycles_per_second_ = number;
            if (line.starts_with("sampling period")) contention_period_ = number;
        }
        return true;
    }

    /// `#	ADDRESS	NAME+OFFSET	FILE:LINE`, of Go.
    void read_frame(std::string_view line) {
        if (line.starts_with("# labels:")) note(notes_, ImportOddity::labels_ignored);
        if (!is_open_ || !line.starts_with("#\t")) return;
        const auto next = [&]() -> std::string_view {
            line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
            const std::string_view field = line.substr(0, line.find('\t'));
            line.remove_prefix(field.size());
            return field;
        };
        line.remove_prefix(1);
        (void)next();  // the address
        std::string_view name = next(), place = next();
        if (name.empty()) return;
        name = name.substr(0, name.rfind("+0x"));
        const std::size_t colon = place.rfind(':');
        const auto number =
            colon == std::string_view::npos ? std::nullopt : parse_digits(place.substr(colon + 1));
        stacks_.add_frame(name, number ? place.substr(0, colon) : place, number.value_or(0));
    }

    [[nodiscard]] bool lacks_costs() const {
        return !std::equal(stated_.begin(), stated_.end(), recorded_.begin(), std::less_equal<>());
    }

    void end_record() {
        if (!is_open_) return;
        is_open_ = false;
        if (kind_ == RecordKind::heap || kind_ == RecordKind::jemalloc_heap) {
            unsample(values_[0], values_[1], rate_);
            unsample(values_[2], values_[3], rate_);
        }
        if (kind_ == RecordKind::contention) {
            values_[1] = product(values_[1], contention_period_);
            values_[0] = product(values_[0], contention_period_);
            if (cycles_per_second_ != 0) {
                constexpr double in_ns = 1e9;
                const double cycles_per_ns = static_cast<double>(cycles_per_second_) / in_ns;
                values_[0] = whole(std::nearbyint(static_cast<double>(values_[0]) / cycles_per_ns));
            }
        }
        stacks_.end(values_);
    }

    [[nodiscard]] std::vector<AddressStacks::Column> columns() const {
        using Columns = std::vector<AddressStacks::Column>;
        switch (kind_) {
            case RecordKind::time:
                return period_ > 1 ? Columns{{1, "samples", {}}, {0, "cpu", "nanoseconds"}}
                                   : Columns{{1, "samples", {}}};
            case RecordKind::growth:
                return {{0, "objects", {}}, {1, "space", "bytes"}};
            case RecordKind::contention:
                return cycles_per_second_ == 0 ? Columns{{1, "contentions", {}}, {0, "cycles", {}}}
                                               : Columns{{1, "contentions", {}}, {0, "delay", "nanoseconds"}};
            case RecordKind::count:
                return {{0, count_name_, {}}};
            default:
                break;
        }
        Columns columns;
        if (stacks_.has_other_allocations())
            columns = {{3, "alloc_space", "bytes"}, {2, "alloc_objects", {}}};
        columns.push_back({0, "inuse_objects", {}});
        columns.push_back({1, "inuse_space", "bytes"});
        return columns;
    }

    void say_what_is_unnamed() {
        const auto add = [&](const std::string& text) {
            notes_.limits += (notes_.limits.empty() ? "" : "; ") + text;
        };
        const bool is_heap = kind_ == RecordKind::heap || kind_ == RecordKind::jemalloc_heap;
        if (is_heap && rate_ > 1) add("sampled every " + size_text(rate_) + ": scaled");
        if (stacks_.named() != 0)
            add(std::to_string(stacks_.named()) +
                (stacks_.named() == 1 ? " address has its name from the symbol table of its program"
                                      : " addresses have names from the symbol tables of their programs"));
        if (const auto& newer = stacks_.newer(); newer.size() == 1)
            add(newer.front() + " is newer than the profile: its functions are not named");
        else if (!newer.empty())
            add(newer.front() + " and " + std::to_string(newer.size() - 1) +
                " more are newer than the profile: their functions are not named");
        if (stacks_.unnamed() == 0) return;
        add(std::to_string(stacks_.unnamed()) +
            (stacks_.unnamed() == 1 ? " function is an address" : " functions are addresses"));
        if (kind_ == RecordKind::time)
            add("'google-pprof --raw PROGRAM FILE > OUT' writes a file with names");
        else if (notes_.format != ImportFormat::go_text)
            add("for names put the program and its libraries, with symbols, where they were");
    }

    ImportNotes notes_;
    LineReader lines_;
    AddressStacks stacks_;
    Section section_ = Section::records;
    RecordKind kind_ = RecordKind::unknown;
    std::string command_;
    std::string_view count_name_;
    std::int64_t rate_ = 0;  // bytes from one sample of a heap to the next; up to 1: all are there
    std::int64_t cycles_per_second_ = 0, contention_period_ = 1;
    std::uint64_t period_ = 0;                     // of times, in us
    AddressStacks::Values stated_{}, recorded_{};  // sums of the records' numbers, by the heading and by them
    bool has_numbers_ = false;                     // the record of jemalloc
    bool is_open_ = false;                         // a record, whose frames or numbers may follow
    AddressStacks::Values values_{};
};

}  // namespace

Result<ImportNotes> import_gperftools(const Source& source, const ImportOptions& options, const Sink& sink) {
    return AddressProfileImport(ImportFormat::gperftools, source, options).run(sink);
}

Result<ImportNotes> import_jemalloc(const Source& source, const ImportOptions& options, const Sink& sink) {
    return AddressProfileImport(ImportFormat::jemalloc, source, options).run(sink);
}

Result<ImportNotes> import_go_text(const Source& source, const ImportOptions& options, const Sink& sink) {
    return AddressProfileImport(ImportFormat::go_text, source, options).run(sink);
}

}  // namespace callcost::engine

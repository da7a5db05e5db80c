#include <algorithm>
#include <utility>

#include "callcost/read.hpp"
#include "parser/diagnostic_log.hpp"
#include "parser/end_of_input.hpp"
#include "parser/scanner.hpp"
#include "parser/text_chunks.hpp"
#include "reader/chunk_sink.hpp"
#include "reader/finish_profile.hpp"
#include "reader/profile_builder.hpp"

namespace callcost {

namespace {

/// A chunk on its way: read, scanned (perhaps before it is known what came before it), added to the profile.
struct Job {
    explicit Job(bool detail) : sink(detail), scanner(sink, log) {}

    TextChunk text;
    DiagnosticLog log;
    ChunkSink sink;
    Scanner<ChunkSink> scanner;
    ScanState assumed;
    bool guessed = false;  // scanned from an assumed state
};

/// Reads one source.
class SourceReader {
  public:
    SourceReader(const Source& source, std::uint32_t number, const ReadOptions& options,
                 ProfileBuilder& builder)
        : source_(source),
          number_(number),
          options_(options),
          builder_(builder),
          chunks_(source, std::max<std::size_t>(options.chunk_size, 64), options.longest_line) {}

    Result<void> read();
    [[nodiscard]] DiagnosticLog& log() { return log_; }
    [[nodiscard]] SourceInfo info() const { return {source_.name, chunks_.bytes(), lines_}; }

  private:
    using Jobs = std::vector<std::unique_ptr<Job>>;

    bool read_one(Job& job);
    void read_in_order(Job& job);
    void read_in_rounds();
    void fetch(Jobs& jobs, std::size_t& count);
    void guess(Job& job) const;
    void scan(Job& job) const;
    void add(Job& job);
    [[nodiscard]] bool go_on();
    void finish();
    Result<void> outcome();

    const Source& source_;
    std::uint32_t number_;
    const ReadOptions& options_;
    ProfileBuilder& builder_;
    TextChunks chunks_;
    DiagnosticLog log_;

    Scanner<ChunkSink>* scanner_ = nullptr;  // that has read the last chunk added; it lives in a job
    std::size_t chunk_bytes_ = 0;            // of that chunk
    std::uint64_t chunk_offset_ = 0;
    std::uint64_t chunk_line_ = 0;  // lines before it
    std::uint64_t lines_ = 0;
    bool cut_ = false;
    std::string last_line_;
    std::uint64_t last_line_offset_ = 0;
    MinusOneLines minus_one_;
    std::size_t guesses_ = 0, wrong_guesses_ = 0;
    bool stopped_ = false, cancelled_ = false;
    bool accepted_ = false, has_content_ = false;  // F9, F11
};

void SourceReader::scan(Job& job) const {
    job.sink.set_columns(job.scanner.state().columns.events);
    if (job.text.bom) job.log.add(DiagnosticId::bom, {{}, 1, 0});
    job.scanner.scan(job.text.begin(), job.text.end(), job.text.offset);
    job.sink.close_block();
    if (job.text.too_long) job.log.add(DiagnosticId::line_too_long, {job.text.last_line(), 1, 0});
}

/// Scans a chunk as if what came before it were like what was last added.
void SourceReader::guess(Job& job) const {
    job.sink.clear();
    job.log.clear();
    job.scanner = *scanner_;
    job.scanner.attach(job.sink, job.log, all_carried());
    job.scanner.forget_place();
    job.assumed = job.scanner.state();
    job.guessed = true;
}

/// Adds the next chunk in file order; scans it first, or again, where it could not be known what came before.
void SourceReader::add(Job& job) {
    const bool right = job.guessed && job.scanner.follows(*scanner_, job.assumed);
    if (job.guessed) {
        ++guesses_;
        wrong_guesses_ += right ? 0U : 1U;
    }
    if (!right) {
        job.sink.clear();
        job.log.clear();
        if (scanner_ != nullptr) {
            scanner_->next_chunk(chunk_bytes_);
            if (scanner_ != &job.scanner) job.scanner = std::move(*scanner_);
        }
        job.scanner.attach(job.sink, job.log,
                           scanner_ == nullptr ? job.scanner.names() : builder_.carried_names());
        scan(job);
    }
    if (right) job.scanner.take_place(*scanner_);
    scanner_ = &job.scanner;
    builder_.add(job.sink, {job.text.begin(), job.text.size}, job.scanner.names(),
                 {lines_, job.text.offset, job.log, log_});
    chunk_bytes_ = job.text.size;
    chunk_offset_ = job.text.offset;
    chunk_line_ = lines_;
    lines_ += job.scanner.lines();
    minus_one_.add(job.scanner.minus_one_lines());
    log_.append(job.log, number_, chunk_line_, chunk_offset_);
    cut_ = job.text.cut;
    const std::string_view last = job.text.last_line();
    last_line_ = last.substr(0, 4096);
    last_line_offset_ = chunk_bytes_ - last.size() - 1;
    const bool undecided = !job.scanner.accepted() && job.text.offset + job.text.size > detection_limit;
    if (job.scanner.rejected() || undecided || builder_.too_large()) stopped_ = true;
}

/// Reports progress; false if reading has to end.
bool SourceReader::go_on() {
    if (stopped_ || !options_.on_progress) return !stopped_;
    Progress progress;
    progress.bytes_done = source_.consumed ? source_.consumed() : chunks_.bytes();
    progress.bytes_total = source_.size;
    progress.cost_done = builder_.first_event_cost();
    progress.cost_total = builder_.announced_cost();
    if (!options_.on_progress(progress)) stopped_ = cancelled_ = true;
    return !stopped_;
}

/// The next chunk in order; false if there is none.
bool SourceReader::read_one(Job& job) {
    if (!go_on() || !chunks_.next(job.text)) return false;
    add(job);
    if (job.scanner.accepted()) chunks_.accept();
    return true;
}

void SourceReader::read_in_order(Job& job) {
    while (read_one(job)) {
    }
}

/// Chunks of ordinary lines for all jobs, but fewer if lines are very long: memory stays bounded.
void SourceReader::fetch(Jobs& jobs, std::size_t& count) {
    constexpr std::size_t max_bytes = std::size_t{64} << 20U;
    std::size_t bytes = 0;
    for (count = 0; count < jobs.size() && bytes < max_bytes && chunks_.next(jobs[count]->text); ++count)
        bytes += jobs[count]->text.capacity;
    for (std::size_t i = count; i < jobs.size(); ++i)
        if (bytes >= max_bytes) jobs[i]->text = {};
}

/// Three steps at a time: while one set of chunks is added, the next is scanned, chunk by chunk on any
/// thread, and the one after that is read.
void SourceReader::read_in_rounds() {
    const bool detail = builder_.data().detail == Detail::full;
    Job first(detail);
    do {  // what is read ahead of F11's decision could be too much
        if (!read_one(first)) return finish();
    } while (!first.scanner.accepted());

    struct Set {
        Jobs jobs;
        std::size_t count = 0;
    };
    Set sets[3];
    for (Set& set : sets)
        for (std::size_t i = 0; i < std::size_t{4} * options_.concurrency; ++i)
            set.jobs.push_back(std::make_unique<Job>(detail));

    fetch(sets[1].jobs, sets[1].count);
    std::vector<std::function<void()>> tasks;
    for (std::size_t round = 0; go_on(); ++round) {
        Set& adding = sets[round % 3];
        Set& scanning = sets[(round + 1) % 3];
        Set& reading = sets[(round + 2) % 3];
        if (adding.count == 0 && scanning.count == 0) break;
        tasks.clear();
        tasks.emplace_back([&] {
            for (std::size_t i = 0; i < adding.count && !stopped_; ++i) add(*adding.jobs[i]);
        });
        tasks.emplace_back([&] { fetch(reading.jobs, reading.count); });
        const bool guessing = (guesses_ < 16 || wrong_guesses_ < guesses_ / 2) && scanner_->is_small();
        for (std::size_t i = 0; i < scanning.count; ++i) {
            Job& job = *scanning.jobs[i];
            job.guessed = false;
            if (!guessing || !job.text.begins_function) continue;
            guess(job);
            tasks.emplace_back([this, &job] { scan(job); });
        }
        options_.run_all(tasks);
        adding.count = 0;
    }
    finish();  // while the jobs live
}

/// The input is over: what is still open is closed.
void SourceReader::finish() {
    if (scanner_ == nullptr) return;
    has_content_ = scanner_->has_content();
    accepted_ = scanner_->accepted() && !scanner_->rejected();
    if (!accepted_) return;
    DiagnosticLog log;
    ChunkSink sink(builder_.data().detail == Detail::full);
    sink.clear();
    sink.set_columns(scanner_->state().columns.events);
    scanner_->attach(sink, log, builder_.carried_names());
    const LineView last{last_line_, scanner_->lines(), last_line_offset_};
    end_of_input(*scanner_, chunks_, cut_, last, log);
    sink.close_block();
    builder_.add(sink, {}, scanner_->names(), {chunk_line_, chunk_offset_, log, log_});
    log_.append(log, number_, chunk_line_, chunk_offset_);
}

Result<void> SourceReader::read() {
    builder_.begin_source(number_);
    if (options_.run_all && options_.concurrency > 1) {
        read_in_rounds();
    } else {
        Job job(builder_.data().detail == Detail::full);
        read_in_order(job);
        finish();
    }
    return outcome();
}

/// Whether a profile was read, and what there is to say about the whole of it.
Result<void> SourceReader::outcome() {
    const auto failure = [this](ErrorCode code, std::uint64_t line = 0, std::string detail = {}) {
        builder_.drop_source();
        return tl::unexpected(Error{code, line, 0, 0, std::move(detail)});
    };
    if (cancelled_) return failure(ErrorCode::cancelled);
    if (builder_.data().events.size() > Columns::max_events)
        return failure(ErrorCode::too_large, 0, "more than 1,000 event types");
    if (builder_.too_large()) return failure(ErrorCode::too_large);
    if (chunks_.bytes() == 0 && chunks_.error()) {
        builder_.drop_source();
        return tl::unexpected(*chunks_.error());
    }
    if (chunks_.rejected()) return failure(ErrorCode::not_a_profile, lines_ + 1);
    if (!has_content_) return failure(ErrorCode::empty_file);
    if (!accepted_) return failure(ErrorCode::not_a_profile, lines_);
    const auto first = builder_.source_parts();
    const bool events =
        std::any_of(first.begin(), first.end(), [](const Part& part) { return !part.events.empty(); });
    if (!events) return failure(ErrorCode::no_events);

    builder_.end_source(minus_one_.mean_no_line(), log_);
    log_.drop(minus_one_.mean_no_line() ? DiagnosticId::negative_position : DiagnosticId::minus_one_line);
    const auto parts = builder_.source_parts();
    const bool records = std::any_of(parts.begin(), parts.end(), [](const Part& part) {
        return part.cost_lines != 0 || part.call_records != 0 || part.jumps != 0;
    });
    if (!records) log_.add_count(DiagnosticId::no_costs, 1);
    return {};
}

}  // namespace

struct ProfileReader::State {
    explicit State(ReadOptions read_options) : options(std::move(read_options)), builder(options.detail) {}

    ReadOptions options;
    ProfileBuilder builder;
    DiagnosticLog log;
};

ProfileReader::ProfileReader(ReadOptions options) : state_(std::make_unique<State>(std::move(options))) {}
ProfileReader::ProfileReader(ProfileReader&&) noexcept = default;
ProfileReader& ProfileReader::operator=(ProfileReader&&) noexcept = default;
ProfileReader::~ProfileReader() = default;

Result<void> ProfileReader::add(const Source& source) {
    std::vector<SourceInfo>& sources = state_->builder.data().sources;
    const auto number = static_cast<std::uint32_t>(sources.size());
    SourceReader reader(source, number, state_->options, state_->builder);
    Result<void> result = reader.read();
    if (!result) {
        result.error().source = source.name;
        return result;
    }
    sources.push_back(reader.info());
    state_->log.append(reader.log(), number, 0, 0);
    return result;
}

Profile ProfileReader::finish() && { return Profile(finish_profile(state_->builder.finish(), state_->log)); }

Result<Profile> read_profile(const Source& source, const ReadOptions& options) {
    ProfileReader reader(options);
    if (auto result = reader.add(source); !result) return tl::unexpected(result.error());
    return std::move(reader).finish();
}

}  // namespace callcost

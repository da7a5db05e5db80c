// Source files with what each line costs, and where most of the cost is.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "names/short_names.hpp"
#include "session/answers.hpp"
#include "session/code_answers.hpp"
#include "session/function_rows.hpp"
#include "session/inlined_lines.hpp"
#include "text/jumps.hpp"
#include "text/profile_facts.hpp"
#include "text/system_files.hpp"

namespace callcost::engine {
namespace {

constexpr std::size_t max_source_bytes = std::size_t{16} << 20U;

std::optional<FileAt> find_file(Question& question, const View& view) {
    const auto id = question.integer("file", INT64_MAX);
    const bool is_before = id < 0;
    const auto row = is_before ? -1 - id : id;
    const auto* side = is_before ? (view.before ? &*view.before : nullptr) : &view.after;
    if (side != nullptr && row < static_cast<std::int64_t>(side->graph().profile().file_count()))
        return FileAt{FileId(static_cast<std::size_t>(row)), is_before};
    question.refuse(
        {.id = "unknown-file", .message = "no such source file in the profile", .member = "file"});
    return std::nullopt;
}

/// The lines of a file, or those of a function in it, by some measures.
std::vector<LineCost> lines_in(const Side& side, FileId file, NodeId function,
                               std::span<const Measure> measures) {
    auto files = function.valid() ? function_lines(side.graph(), function, measures)
                                  : file_lines(side.graph(), std::array{file}, measures);
    if (!files) return {};
    for (auto& of : *files)
        if (of.file == file) return std::move(of.lines);
    return {};
}

/// Adds which functions have cost in which file; what is not of the selected parts may be there, too.
void add_files(const ComparisonIndex& compared, const CallGraph& graph, const std::vector<MatchId>& ids) {
    for (std::size_t i = 0; i < graph.profile().function_count(); ++i) {
        const auto node = graph.node_of(FunctionId(i));
        if (!node.valid()) continue;
        auto cursor = graph.profile().records(FunctionId(i));
        for (Record record; cursor.next(record);) {
            if (record.kind != Record::Kind::cost) continue;
            auto& functions = compared.in_file[graph.profile().name(record.file)];
            if (functions.empty() || functions.back() != ids[node.value])
                functions.push_back(ids[node.value]);
        }
    }
}

/// The functions of a comparison that have cost in a file: others need not be looked at.
std::span<const MatchId> functions_in(const ComparisonIndex& compared, std::string_view file) {
    if (compared.in_file.empty()) {
        add_files(compared, compared.diff.after(), compared.match_after);
        add_files(compared, compared.diff.before(), compared.match_before);
        for (auto& [name, ids] : compared.in_file) {
            std::sort(ids.begin(), ids.end());
            ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        }
    }
    const auto found = compared.in_file.find(file);
    return found != compared.in_file.end() ? std::span<const MatchId>(found->second)
                                           : std::span<const MatchId>();
}

class SourceAnswer {
  public:
    SourceAnswer(const View& view, const Host& host, FileAt file, NodeId function)
        : view_(view),
          side_(file.is_before ? *view.before : view.after),
          at_(file),
          function_(function),
          lines_(lines_in(side_, file.file, function, side_.columns)) {
        if (function.valid() && !view.compared && is_own_file()) add_inlined(host);
        calls_.resize(lines_.size());
        for (std::size_t column = 0; column < side_.columns.size(); ++column) collect_calls(column);
        if (view.compared && !at_.is_before) compare_lines();
    }

    void write(JsonWriter& json) const {
        std::vector<Cost> sum(side_.columns.size(), 0);
        json.key("lines");
        json.begin_array();
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += lines_[i].self[c];
            write_line(json, lines_[i], calls_[i]);
        }
        json.end_array();
        write_sums(json, "self", side_.columns, [&](std::size_t column) { return sum[column]; });
        if (!inlined_.lines.empty()) {
            json.key("inlined");
            json.begin_object();
            write_costs(json, "self", side_.columns,
                        [&](std::size_t column) { return inlined_.self[column]; });
            write_problem(json, inlined_.problem, inlined_.hint);
            json.end_object();
        }
        if (!view_.compared || at_.is_before) return;
        write_before(json, self_before_);
        json.key("removed");
        json.begin_array();
        for (const auto& [line, self] : removed_) {
            json.begin_object();
            json.member("line_before", line);
            write_before(json, self);
            json.end_object();
        }
        json.end_array();
    }

  private:
    [[nodiscard]] bool is_own_file() const {
        const auto& graph = side_.graph();
        return graph.profile().file(graph.function(function_)) == at_.file;
    }

    /// With lines that have nothing else.
    void add_inlined(const Host& host) {
        inlined_ = inlined_lines(side_, {function_, at_.is_before}, host);
        const auto known = lines_.size();
        std::size_t next = 0;
        for (const auto& inlined : inlined_.lines) {
            while (next < known && lines_[next].line < inlined.at) ++next;
            const bool has_line = (next < known && lines_[next].line == inlined.at) ||
                                  (known < lines_.size() && lines_.back().line == inlined.at);
            if (!has_line)
                lines_.push_back({inlined.at, std::vector<Cost>(side_.columns.size(), 0), false, {}, {}});
        }
        std::sort(lines_.begin(), lines_.end(),
                  [](const LineCost& a, const LineCost& b) { return a.line < b.line; });
    }

    [[nodiscard]] std::span<const InlinedLine> inlined_at(std::uint64_t line) const {
        const auto& lines = inlined_.lines;
        const auto begin = std::partition_point(lines.begin(), lines.end(),
                                                [&](const InlinedLine& one) { return one.at < line; });
        auto end = begin;
        while (end != lines.end() && end->at == line) ++end;
        return std::span(lines).subspan(static_cast<std::size_t>(begin - lines.begin()),
                                        static_cast<std::size_t>(end - begin));
    }

    struct LineBefore {
        std::uint64_t line = 0;
        Cost self = 0;
    };

    void collect_calls(std::size_t column) {
        const auto add = [&](const std::vector<LineCost>& lines) {
            std::size_t at = 0;
            for (const auto& line : lines) {
                while (at < lines_.size() && lines_[at].line < line.line) ++at;
                if (at < lines_.size() && lines_[at].line == line.line)
                    add_calls(calls_[at], side_.graph(), line.calls, column, side_.columns.size());
            }
        };
        if (column == 0) return add(lines_);
        const bool has_calls =
            std::any_of(calls_.begin(), calls_.end(), [](const auto& calls) { return !calls.empty(); });
        if (has_calls) add(lines_in(side_, at_.file, function_, {&side_.columns[column], 1}));
    }

    /// Function by function, so that moved lines are matched.
    void compare_lines() {
        const auto& diff = view_.compared->diff;
        const auto name = side_.graph().profile().name(at_.file);
        const auto compare = [&](const FunctionMatch& function) {
            for (const auto& line : line_changes(diff, function).value_or(std::vector<LineChange>{})) {
                if (line.file != name) continue;
                self_before_ += line.self.before;
                const bool is_removed = line.after == 0 && line.before != 0;
                auto& self = is_removed ? removed_[line.before] : before_[line.after].self;
                self += line.self.before;
                if (!is_removed && line.before != 0) before_[line.after].line = line.before;
            }
        };
        if (function_.valid()) {
            const auto id = view_.compared->match_after[function_.value];
            if (id.valid()) compare(diff.function(id));
        } else {
            for (const auto id : functions_in(*view_.compared, name)) compare(diff.function(id));
        }
    }

    /// The comparison knows the cost by its own measure only.
    void write_before(JsonWriter& json, Cost self) const {
        json.key("self_before");
        json.begin_array();
        for (const auto& column : side_.columns) {
            if (column.name == side_.measure.name) {
                json.value(self);
            } else {
                json.null();
            }
        }
        json.end_array();
    }

    void write_line(JsonWriter& json, const LineCost& line, const CalledFunctions& calls) const {
        auto with_inlined = line.self;
        auto with_calls = line.self;
        const auto add = [](std::vector<Cost>& sum, const std::vector<Cost>& costs) {
            for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += costs[c];
        };
        const auto add_calls = [&](const CalledFunctions& of) {
            for (const auto& [callee, called] : of)
                if (!called.counted_again) add(with_calls, called.cost);
        };
        add_calls(calls);
        const auto inlined = inlined_at(line.line);
        for (const auto& one : inlined) {
            add(with_inlined, one.self);
            add(with_calls, one.self);
            add_calls(one.calls);
        }
        json.begin_object();
        json.member("line", line.line);
        write_costs(json, "self", side_.columns, [&](std::size_t column) { return line.self[column]; });
        write_costs(json, "with_calls", side_.columns,
                    [&](std::size_t column) { return with_calls[column]; });
        if (view_.compared && !at_.is_before) {
            const auto found = before_.find(line.line);
            const auto before = found == before_.end() ? LineBefore{} : found->second;
            write_before(json, before.self);
            if (before.line != 0) json.member("line_before", before.line);
        }
        json.member("inlined", line.inlined);
        if (!inlined.empty()) {
            write_costs(json, "with_inlined", side_.columns,
                        [&](std::size_t column) { return with_inlined[column]; });
            write_inlined(json, inlined);
        }
        write_calls(json, side_, calls, at_.is_before);
        write_line_jumps(json, line.jumps);
        json.end_object();
    }

    void write_inlined(JsonWriter& json, std::span<const InlinedLine> inlined) const {
        json.key("inlined_code");
        json.begin_array();
        for (const auto& line : inlined) {
            json.begin_object();
            json.key("file");
            json.begin_object();
            write_file(json, side_, {line.file, at_.is_before});
            json.end_object();
            json.member("line", line.line);
            if (!line.function.empty()) {
                json.member("function", line.function);
                const auto name = by_characters().text(line.function);
                const auto shown = short_name(name, 60, {.unicode = true}, by_characters());
                if (shown != name) json.member("short", shown);
            }
            write_costs(json, "self", side_.columns, [&](std::size_t column) { return line.self[column]; });
            write_calls(json, side_, line.calls, at_.is_before);
            json.end_object();
        }
        json.end_array();
    }

    void write_line_jumps(JsonWriter& json, const std::vector<JumpSite>& sites) const {
        const auto other_file = [&](const JumpSite& site) {
            const bool is_elsewhere = site.target_file.valid() && site.target_file != at_.file;
            return is_elsewhere ? side_.graph().profile().name(site.target_file) : std::string_view();
        };
        const auto target_of = [&](const JumpSite& site) {
            return std::pair(other_file(site), site.target_line);
        };
        write_jumps(json, jumps_by_target(sites, target_of), [&](const JumpSite& jump) {
            json.member("to", jump.target_line);
            json.member_if_any("file", other_file(jump));
        });
    }

    const View& view_;
    const Side& side_;
    FileAt at_;
    NodeId function_;
    InlinedLines inlined_;
    std::vector<LineCost> lines_;
    std::vector<CalledFunctions> calls_;                    // by line
    std::unordered_map<std::uint64_t, LineBefore> before_;  // by line after
    std::map<std::uint64_t, Cost> removed_;                 // self cost by line before
    Cost self_before_ = 0;
};

/// The text of hot lines, of the first files that have any.
class LineTexts {
  public:
    LineTexts(const Profile& profile, const Host& host) : profile_(profile), host_(host) {}

    std::string of(const HotLine& line) {
        constexpr std::size_t most = 200;  // bytes
        if (line.line == 0 || line.file.value == 0 || !host_.source) return {};
        auto known = files_.find(line.file);
        if (known == files_.end()) {
            if (files_.size() == max_files) return {};
            known = files_.emplace(line.file, Text(host_.source(profile_.name(line.file)).text)).first;
        }
        auto text = known->second.line(line.line);
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        return by_characters().text(text.substr(0, most));
    }

  private:
    static constexpr std::size_t max_files = 50;

    class Text {
      public:
        explicit Text(std::optional<std::string> text) : text_(std::move(text).value_or("")) {
            for (std::size_t at = 0; at < text_.size() && text_.size() <= max_source_bytes;) {
                begins_.push_back(at);
                at = std::min(text_.find('\n', at), text_.size()) + 1;
            }
        }
        [[nodiscard]] std::string_view line(std::uint64_t number) const {
            if (number > begins_.size()) return {};
            const auto begin = begins_[static_cast<std::size_t>(number) - 1];
            auto text = std::string_view(text_).substr(begin);
            text = text.substr(0, text.find('\n'));
            if (text.ends_with('\r')) text.remove_suffix(1);
            return text;
        }

      private:
        std::string text_;
        std::vector<std::size_t> begins_;
    };

    const Profile& profile_;
    const Host& host_;
    std::map<FileId, Text> files_;
};

void write_text(JsonWriter& json, const Host& host, std::string_view name, std::string_view shown) {
    SourceFile source;
    if (host.source) {
        if (!shown.empty() && host.show_sources) host.show_sources(name, shown);
        source = host.source(name);
    } else {
        source.problem = "source files are not available here";
        source.hint = "run callcost view FILE on the machine that has them";
    }
    if (source.text && source.text->size() > max_source_bytes) {
        source.text.reset();
        source.problem = "the file is too large to be shown";
    }
    json.member("path", source.path);
    json.key("text");
    if (source.text) {
        json.value(*source.text);
    } else {
        json.null();
    }
    write_problem(json, source.problem, source.hint);
    if (host.show_sources && !source.withheld_in.empty()) json.member("withheld_in", source.withheld_in);
    json.member("is_newer", source.is_newer);
    json.member("is_guess", source.is_guess);
}

}  // namespace

void answer_source(Request& request, JsonWriter& json) {
    auto& question = request.question;
    // "file" is a pattern for all other questions.
    const auto view = request.view();
    if (!view) return;
    std::optional<FunctionAt> function;
    if (question.has("function")) function = request.function("function", *view);
    if (question.error()) return;
    std::optional<FileAt> file;
    if (question.has("file")) {
        file = find_file(question, *view);
    } else if (function) {
        const auto& graph = (function->is_before ? *view->before : view->after).graph();
        file = FileAt{graph.profile().file(graph.function(function->node)), function->is_before};
    } else {
        question.refuse({.message = "a file or a function is required", .member = "file"});
    }
    const auto shown = question.text("show_sources_in");
    if (function && file && function->is_before != file->is_before)
        question.refuse({.message = "the function and the file are of different profiles", .member = "file"});
    if (question.error()) return;
    const auto& side = file->is_before ? *view->before : view->after;
    if (refuse_without_detail(question, side)) return;
    json.begin_object();
    json.key("file");
    json.begin_object();
    write_file(json, side, *file);
    json.end_object();
    write_text(json, request.host, side.graph().profile().name(file->file), shown);
    SourceAnswer(*view, request.host, *file, function ? function->node : NodeId()).write(json);
    if (function) write_files_of(json, side, *function);
    json.end_object();
}

void answer_files(Request& request, JsonWriter& json) {
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    const auto offset = question.count("offset", 0, std::numeric_limits<std::uint32_t>::max());
    const auto limit = question.count("limit", 200, 5000);
    const Search search(question, "search", request.host);
    if (question.error() || refuse_without_detail(question, view->after)) return;
    const auto located = [](const Side& side) {
        return files_by_located_cost(side.graph(), side.columns.front()).value_or(std::vector<FileCost>{});
    };
    struct Row {
        FileAt at;
        Cost self = 0, self_before = 0;
        std::uint64_t absolute = 0;
    };
    std::vector<Row> rows;
    std::unordered_map<std::string_view, std::size_t> by_name;
    const auto& after = view->after.graph().profile();
    for (const auto& [file, cost, absolute] : located(view->after)) {
        by_name.emplace(after.name(file), rows.size());
        rows.push_back({{file, false}, cost, 0, absolute});
    }
    for (const auto& [file, cost, absolute] :
         view->before ? located(*view->before) : std::vector<FileCost>()) {
        const auto found = by_name.find(view->before->graph().profile().name(file));
        if (found != by_name.end()) {
            rows[found->second].self_before = cost;
            rows[found->second].absolute = std::max(rows[found->second].absolute, absolute);
        } else {
            rows.push_back({{file, true}, 0, cost, absolute});
        }
    }
    const auto side_of = [&](const Row& row) -> const Side& {
        return row.at.is_before ? *view->before : view->after;
    };
    if (view->before) {
        std::stable_sort(rows.begin(), rows.end(),
                         [](const Row& a, const Row& b) { return a.absolute > b.absolute; });
    }
    std::erase_if(rows, [&](const Row& row) {
        return row.absolute == 0 || !search.finds(side_of(row).graph().profile().name(row.at.file));
    });
    json.begin_object();
    json.key("rows");
    json.begin_array();
    for (std::size_t i = offset; i < rows.size() && i - offset < limit; ++i) {
        json.begin_object();
        write_file(json, side_of(rows[i]), rows[i].at);
        json.member("self", rows[i].self);
        if (view->before) json.member("self_before", rows[i].self_before);
        json.end_object();
    }
    json.end_array();
    json.member("matching", rows.size());
    json.end_object();
}

void answer_lines(Request& request, JsonWriter& json) {
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    const auto limit = question.count("limit", 100, 5000);
    if (question.error() || refuse_without_detail(question, view->after)) return;
    const auto& side = view->after;
    const auto& profile = side.graph().profile();
    LinesOptions wanted{.measures = side.columns, .limit = limit};
    if (side.filtered) side.filtered->apply(wanted, side.measure);
    wanted.is_system_file = [&](FileId id) { return is_system_file(profile.name(id)); };
    wanted.is_system_object = [&](ObjectId id) { return is_system_object(profile.name(id)); };
    wanted.with_calls = wanted.kept.empty() && has_calls(side.graph());
    LineTexts texts(profile, request.host);
    const auto list = lines_by_cost(side.graph(), wanted);
    if (!list) return question.refuse({.id = "needs-detail", .message = "lines are not available"});
    json.begin_object();
    json.key("rows");
    json.begin_array();
    for (const auto& line : list->rows) {
        json.begin_object();
        json.key("file");
        json.begin_object();
        write_file(json, side, {line.file, false});
        json.end_object();
        json.member("line", line.line);
        json.key("function");
        write_function(json, side, line.function);
        json.member("functions", line.functions);
        json.member_if_any("text", texts.of(line));
        write_costs(json, "self", side.columns, [&](std::size_t column) { return line.self[column]; });
        if (!line.with_calls.empty())
            write_costs(json, "with_calls", side.columns,
                        [&](std::size_t column) { return line.with_calls[column]; });
        write_bounds(json, "self_bounds", side.columns.size(), &Change::after, [&](std::size_t column) {
            return BoundedChange{
                {.after = line.self[column]}, {.after = line.least[column]}, {.after = line.most[column]}};
        });
        json.end_object();
    }
    json.end_array();
    json.member("omitted_rows", list->omitted_rows);
    write_sums(json, "omitted_self", side.columns, [&](std::size_t column) {
        if (!side.filtered) return list->omitted_self[column];
        // What the filters omit is in no further line.
        Cost omitted = side.kept(side.columns[column])->estimate;
        for (const auto& line : list->rows) omitted -= line.self[column];
        return omitted;
    });
    json.end_object();
}

}  // namespace callcost::engine

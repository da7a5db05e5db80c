#include "inlining/inline_maps.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "inlining/debuginfod.hpp"
#include "inlining/inline_cache.hpp"
#include "inlining/inline_worker.hpp"
#include "sources/elf_file.hpp"
#include "sources/object_file.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::program {

namespace {

/// What is asked about an object, and the functions by the request's rows.
struct Question {
    ObjectId object;
    InlineRequest request;
    AskedOfObject asked{};
    std::vector<FunctionId> functions;
};

/// About each object that has functions.
std::vector<Question> questions_of(const Profile& profile) {
    std::vector<Question> questions(profile.object_count());
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const FunctionId function(row);
        if (profile.has_records(function))
            questions[profile.object(function).value].object = profile.object(function);
    }
    std::erase_if(questions, [](const Question& question) {
        return !question.object.valid() || question.object == ObjectId(0);
    });
    return questions;
}

/// Calls `take(address, file, line)` for the records of a function that debug information can say something
/// about.
template <typename Take>
void for_each_place(const Profile& profile, FunctionId function, const Take& take) {
    auto cursor = profile.records(function);
    for (Record record; cursor.next(record);)
        if (record.kind != Record::Kind::jump && record.address != 0)
            take(record.address, record.file, record.has_place ? record.line : 0);
}

/// Their functions that have such records, and what is asked about these in short.
void find_functions(const Profile& profile, std::vector<Question>& questions) {
    std::vector<Question*> by_object(profile.object_count());
    for (auto& question : questions) by_object[question.object.value] = &question;
    std::vector<std::uint64_t> files(profile.file_count(), 0);  // 0: not known yet
    const auto file_number = [&](FileId file) {
        auto& number = files[file.value];
        if (number != 0) return number;
        Fingerprint name;
        name.add(profile.name(file));
        return number = name.number();
    };
    const ContextNames contexts(profile);
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const FunctionId function(row);
        auto* const question = by_object[profile.object(function).value];
        if (question == nullptr) continue;
        auto& fingerprint = question->asked.fingerprint;
        bool is_new = true;
        for_each_place(profile, function, [&](std::uint64_t address, FileId file, std::uint64_t line) {
            if (is_new) fingerprint.add(contexts.split(function).name);
            if (is_new) question->functions.push_back(function);
            is_new = false;
            fingerprint.add(address ^ (file_number(file) + line) * 0x9fb21c651e98df25U);
        });
    }
    for (auto& question : questions) question.asked.bounds.functions = question.functions.size();
    std::erase_if(questions, [](const Question& question) { return question.functions.empty(); });
}

void add_records(const Profile& profile, Question& question) {
    auto& request = question.request;
    const ContextNames contexts(profile);
    std::map<FileId, std::uint32_t> rows;
    for (const auto function : question.functions) {
        const auto row = static_cast<std::uint32_t>(request.functions.size());
        request.functions.emplace_back(contexts.split(function).name);
        for_each_place(profile, function, [&](std::uint64_t address, FileId file, std::uint64_t line) {
            request.records.push_back({address, row, static_cast<std::uint32_t>(file.value), line});
        });
    }
    std::sort(request.records.begin(), request.records.end());
    request.records.erase(std::unique(request.records.begin(), request.records.end()), request.records.end());
    for (auto& record : request.records) {
        const auto [place, is_new] =
            rows.try_emplace(FileId(record.file), static_cast<std::uint32_t>(request.files.size()));
        if (is_new) request.files.emplace_back(profile.name(FileId(record.file)));
        record.file = place->second;
    }
}

ObjectProblem without_debug_info(const std::string& path) {
    return {in_quotes(path) + " has no debug information",
            "compile it with -g, or install its debug package"};
}

ObjectProblem problem_of(const InlineReply& reply, const InlineRequest& request) {
    const auto object = in_quotes(request.path);
    switch (reply.problem) {
        case InlineProblem::no_debug_info:
            return without_debug_info(request.path);
        case InlineProblem::other_debug_file:
            return {in_quotes(request.debug_path) + " is the debug file of another build of " + object,
                    "install the debug package of the same version"};
        case InlineProblem::no_split_file:
            return {
                "debug information of " + object + " is missing: " + in_quotes(reply.detail) + " not found",
                "keep .dwo files where the compiler writes them, or compile without -gsplit-dwarf"};
        case InlineProblem::no_shared_file:
            return {
                "debug information of " + object + " is missing: " + in_quotes(reply.detail) + " not found",
                "install the package that has it"};
        case InlineProblem::other_shared_file:
            return {"debug information of " + object + " is missing: " + in_quotes(reply.detail) +
                        " is of another build",
                    "install the debug packages of the same version"};
        case InlineProblem::damaged:
            return {"debug information of " + object + " is damaged", "compile or install it again"};
        default:
            return {object + " is not a program or library, or is damaged", "compile or install it again"};
    }
}

class Finding {
  public:
    Finding(const Profile& profile, const InlineMapOptions& options)
        : profile_(profile), options_(options), cache_(options.cache_directory) {}

    InlineMaps find() {
        auto questions = questions_of(profile_);
        std::erase_if(questions, [&](Question& question) { return !locate(question); });
        if (!questions.empty()) find_functions(profile_, questions);
        std::vector<Question> open;
        for (auto& question : questions) {
            auto reply = cache_.find(question.request, question.asked);
            if (!reply) {
                add_records(profile_, question);
                open.push_back(std::move(question));
            } else {
                take(question, *std::move(reply));
            }
        }
        if (!open.empty()) ask(open);
        result_.server_problem = servers_.problem();
        result_.server_hint = servers_.hint();
        const auto by_name = [](const InlineMap& a, const InlineMap& b) { return a.object < b.object; };
        std::sort(result_.maps.begin(), result_.maps.end(), by_name);
        std::sort(result_.missing.begin(), result_.missing.end(),
                  [](const auto& a, const auto& b) { return a.object < b.object; });
        std::sort(result_.stale.begin(), result_.stale.end());
        return std::move(result_);
    }

  private:
    /// Finds the files; false if that is not possible.
    bool locate(Question& question) {
        const auto name = profile_.name(question.object);
        auto found = find_object_file(finder_, options_.system_root, name);
        if (!found) return miss(question, std::move(found.error()));
        auto& request = question.request;
        request.path = found->path;
        auto debug = find_debug_file(request.path, options_.system_root);
        const auto build = builds_.find(name);
        const bool may_be_another =
            build != builds_.end()
                ? build->second != debug.build_id
                : options_.needs_build_id || (options_.needs_build_id_of_system && is_of_system(name));
        request.debug_path = std::move(debug.path);
        request.build_id = std::move(debug.build_id);
        if (!debug.has_debug_info && !may_be_another && options_.asks_debuginfod) fetch(request);
        if (!debug.has_debug_info && request.debug_path.empty())
            return miss(question, without_debug_info(request.path));
        if (build == builds_.end()) {
            if (!may_be_another) return true;
            return miss(question, {"the profile does not say which build of " + in_quotes(request.path) +
                                       " was measured",
                                   "'callcost record' writes that; --inlined=yes compares source lines"});
        }
        if (build->second.empty())
            return miss(question, {"parts of the profile are of several builds of " + in_quotes(request.path),
                                   "read the parts of one build only"});
        request.is_same = !may_be_another;
        if (request.is_same) return true;
        return refuse(
            question,
            {in_quotes(request.path) + " is not the file that was measured: it has another build ID",
             "profile the program again, or give the directory of the measured file with -I DIR"});
    }

    void fetch(InlineRequest& request) {
        if (request.build_id.empty()) return;
        request.debug_path = servers_.debug_file(request.build_id);
        const auto shared = shared_build(request.debug_path);
        if (!shared.empty()) request.shared_path = servers_.debug_file(shared);
    }

    bool miss(const Question& question, ObjectProblem problem) {
        result_.missing.push_back({question.object, std::move(problem.message), std::move(problem.hint)});
        return false;
    }
    /// The same of a file that is there, but not as it should be.
    bool refuse(const Question& question, ObjectProblem problem) {
        miss(question, std::move(problem));
        result_.missing.back().is_refused = true;
        return false;
    }

    void ask(std::vector<Question>& questions) {
        std::vector<InlineRequest> requests;
        requests.reserve(questions.size());
        for (auto& question : questions) requests.push_back(std::move(question.request));
        auto replies = ask_inline_worker(options_.program, requests);
        for (std::size_t row = 0; row < questions.size(); ++row) {
            questions[row].request = std::move(requests[row]);
            if (!replies) {
                miss(questions[row], {"debug information cannot be read: " + replies.error(), {}});
            } else if (auto& reply = (*replies)[row]) {
                // A file that is missing may come.
                if (reply->problem == InlineProblem::none || reply->problem == InlineProblem::no_debug_info)
                    cache_.keep(questions[row].request, questions[row].asked, *reply);
                take(questions[row], *std::move(reply));
            } else {
                refuse(questions[row], {"debug information of " + in_quotes(questions[row].request.path) +
                                            " is damaged, or takes too much time or memory",
                                        "compile or install it again"});
            }
        }
    }

    void take(const Question& question, InlineReply reply) {
        if (reply.problem != InlineProblem::none) {
            miss(question, problem_of(reply, question.request));
            result_.missing.back().is_refused = reply.problem == InlineProblem::damaged;
            return;
        }
        if (2 * reply.stale.size() > reply.compared) {
            refuse(question,
                   {in_quotes(question.request.path) +
                        " is not the file that was measured: most functions have other lines there",
                    "profile the program again, or give the directory of the measured file with -I DIR"});
            return;
        }
        for (const auto row : reply.stale) result_.stale.push_back(question.functions[row]);
        result_.compared += reply.compared;
        reply.map.object = profile_.name(question.object);
        result_.maps.push_back(std::move(reply.map));
    }

    const Profile& profile_;
    const InlineMapOptions& options_;
    InlineCache cache_;
    Debuginfod servers_;
    SourceFinder finder_{options_.search};
    BuildsByObject builds_ = recorded_builds(profile_);
    InlineMaps result_;
};

}  // namespace

std::optional<RecordedBuild> parse_recorded_build(std::string_view description) {
    constexpr std::string_view key = "Build-id: ";
    if (!description.starts_with(key)) return std::nullopt;
    description.remove_prefix(key.size());
    const auto end = description.find(' ');
    const auto id = description.substr(0, end);
    if (end == std::string_view::npos || id.empty() || end + 1 == description.size() ||
        id.find_first_not_of("0123456789abcdef") != std::string_view::npos)
        return std::nullopt;
    return RecordedBuild{std::string(id), std::string(description.substr(end + 1))};
}

BuildsByObject recorded_builds(const Profile& profile) {
    BuildsByObject builds;
    for (const Part& part : profile.parts()) {
        for (const auto& description : part.descriptions) {
            const auto build = parse_recorded_build(description);
            if (!build) continue;
            const auto [place, is_new] = builds.try_emplace(build->object, build->id);
            if (!is_new && place->second != build->id) place->second.clear();
        }
    }
    return builds;
}

bool is_of_system(std::string_view object) {
    constexpr std::array<std::string_view, 5> directories = {"lib/", "lib32/", "lib64/", "libx32/",
                                                             "libexec/"};
    if (object.starts_with("/usr/")) object.remove_prefix(4);
    return object.starts_with('/') &&
           std::any_of(directories.begin(), directories.end(),
                       [&](auto directory) { return object.substr(1).starts_with(directory); });
}

InlineMaps find_inlined_code(const Profile& profile, const InlineMapOptions& options) {
    return Finding(profile, options).find();
}

std::string stale_message(const InlineMaps& maps) {
    const auto count = maps.stale.size();
    if (count == 0) return {};
    return std::to_string(count) + " of " + std::to_string(maps.compared) +
           (count == 1 ? " functions is" : " functions are") +
           " not as in the program: what was inlined there is not shown";
}

}  // namespace callcost::program

#include "inlining/unnamed_functions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <sys/stat.h>

#include "inlining/debuginfod.hpp"
#include "inlining/inline_cache.hpp"
#include "inlining/inline_worker.hpp"
#include "sources/elf_file.hpp"
#include "sources/object_file.hpp"

namespace callcost::program {

namespace {

bool is_file(const std::string& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

AskedOfObject asked_by(const InlineRequest& request) {
    AskedOfObject asked{.fingerprint = {}, .bounds = {.functions = 0, .unnamed = request.unnamed.size()}};
    for (const auto address : request.unnamed) asked.fingerprint.add(address);
    return asked;
}

class NameFinding {
  public:
    NameFinding(const Profile& profile, const InlineMapOptions& options, RoomForNames room)
        : profile_(profile), options_(options), room_(room), cache_(options.cache_directory) {}

    FoundNames find() {
        collect();
        if (unnamed_.empty()) return std::move(result_);
        std::vector<std::pair<ObjectId, InlineRequest>> questions;
        for (const auto& [object, addresses] : unnamed_) {
            result_.unnamed += addresses.size();
            InlineRequest request;
            request.unnamed.assign(addresses.begin(), addresses.end());
            if (locate(profile_.name(object), request)) questions.emplace_back(object, std::move(request));
        }
        ask(questions);
        result_.problem = servers_.problem();
        result_.hint = servers_.hint();
        if (result_.named > 0) name_all();
        return std::move(result_);
    }

  private:
    void collect() {
        for (std::size_t row = 0; row < profile_.function_count(); ++row) {
            const FunctionId function(row);
            const auto object = profile_.object(function);
            if (object == ObjectId(0)) continue;
            if (const auto address = address_as_name(own_piece(profile_.name(function))))
                unnamed_[object].insert(*address);
        }
    }

    /// Finds the files; false if there are none.
    bool locate(std::string_view object, InlineRequest& request) {
        const auto build = builds_.find(object);
        request.is_same = build != builds_.end();
        if (!request.is_same &&
            (options_.needs_build_id || (options_.needs_build_id_of_system && is_of_system(object))))
            return false;
        if (request.is_same && build->second.empty()) return false;  // of several builds
        if (request.is_same) request.build_id = build->second;
        if (const auto found = find_object_file(finder_, options_.system_root, object)) {
            auto debug = find_debug_file(found->path, options_.system_root);
            if (!request.is_same || debug.build_id == request.build_id) {
                request.path = found->path;
                request.debug_path = std::move(debug.path);
                request.build_id = std::move(debug.build_id);
            }
        }
        if (request.debug_path.empty() && !request.build_id.empty() && !options_.search.is_confined) {
            auto path = file_of_build(request.build_id, options_.system_root);
            if (is_file(path)) request.debug_path = std::move(path);
        }
        if (!request.debug_path.empty() || has_section(request.path, compressed_symbols)) return true;
        if (options_.asks_debuginfod && !request.build_id.empty())
            request.debug_path = servers_.debug_file(request.build_id);
        return !request.debug_path.empty();
    }

    void ask(const std::vector<std::pair<ObjectId, InlineRequest>>& questions) {
        std::vector<InlineRequest> open;
        std::vector<ObjectId> objects;
        for (const auto& [object, request] : questions) {
            if (auto reply = cache_.find(request, asked_by(request))) {
                take(object, request, *std::move(reply));
            } else {
                open.push_back(request);
                objects.push_back(object);
            }
        }
        if (open.empty()) return;
        auto replies = ask_inline_worker(options_.program, open);
        for (std::size_t row = 0; replies && row < open.size(); ++row) {
            auto& reply = (*replies)[row];
            if (!reply) continue;
            cache_.keep(open[row], asked_by(open[row]), *reply);
            take(objects[row], open[row], *std::move(reply));
        }
    }

    void take(ObjectId object, const InlineRequest& request, InlineReply reply) {
        auto& named = names_[object];
        named.names = std::move(reply.names);
        for (std::size_t row = 0; row < reply.rows_of_names.size(); ++row)
            if (reply.rows_of_names[row] != InlineSite::none)
                named.rows[request.unnamed[row]] = reply.rows_of_names[row];
        result_.named += named.rows.size();
        if (!named.rows.empty())
            result_.files.push_back(request.debug_path.empty() ? request.path : request.debug_path);
    }

    /// A caller in a name has no object: it is named if only one has a function at its address.
    [[nodiscard]] std::string_view name_of(ObjectId object, std::uint64_t address) const {
        const auto of_object = names_.find(object);
        if (of_object == names_.end()) return {};
        const auto& [names, rows] = of_object->second;
        const auto found = rows.find(address);
        return found == rows.end() ? std::string_view() : names[found->second];
    }

    void name_all() {
        std::map<std::uint64_t, std::pair<ObjectId, bool>> only;  // by address; false: several have it
        for (const auto& [object, addresses] : unnamed_)
            for (const auto address : addresses)
                if (const auto [entry, is_new] = only.try_emplace(address, object, true); !is_new)
                    entry->second.second = false;
        result_.names.resize(profile_.function_count());
        for (std::size_t row = 0; row < result_.names.size(); ++row) {
            const FunctionId function(row);
            const auto name = profile_.name(function);
            if (name.find("0x") == std::string_view::npos) continue;
            result_.names[row] =
                room_.named(name, [&](std::string_view piece, bool is_caller) -> std::string_view {
                    const auto address = address_as_name(piece);
                    if (!address) return {};
                    if (!is_caller) return name_of(profile_.object(function), *address);
                    const auto found = only.find(*address);
                    return found == only.end() || !found->second.second
                               ? std::string_view()
                               : name_of(found->second.first, *address);
                });
        }
        result_.are_all = !room_.is_full();
    }

    const Profile& profile_;
    const InlineMapOptions& options_;
    RoomForNames room_;
    InlineCache cache_;
    Debuginfod servers_;
    SourceFinder finder_{options_.search};
    BuildsByObject builds_ = recorded_builds(profile_);
    std::map<ObjectId, std::set<std::uint64_t>> unnamed_;
    struct Named {
        std::vector<std::string> names;
        std::map<std::uint64_t, std::uint32_t> rows;  // by address
    };
    std::map<ObjectId, Named> names_;
    FoundNames result_;
};

}  // namespace

FoundNames find_names(const Profile& profile, const InlineMapOptions& options, RoomForNames room) {
    return NameFinding(profile, options, room).find();
}

}  // namespace callcost::program

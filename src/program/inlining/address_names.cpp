#include "inlining/address_names.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "inlining/inline_worker.hpp"
#include "sources/elf_file.hpp"
#include "sources/object_file.hpp"

namespace callcost::program {

namespace {

struct AskedFile {
    std::set<InlineRequest::Mapped> mapped;
    std::set<std::uint64_t> offsets;
    std::uint64_t inode = 0;
};

FileTime time_of(const timespec& time) {
    return FileTime(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

bool is_newer(const struct stat& facts, const std::optional<FileTime>& profile) {
    return profile && std::max(time_of(facts.st_mtim), time_of(facts.st_ctim)) > *profile;
}

/// Finds the files; false if there are none, or others. Those that are newer than the profile are kept.
bool locate(SourceFinder& finder, std::string_view name, std::uint64_t inode, const InlineMapOptions& options,
            std::vector<std::string>& newer, InlineRequest& request) {
    const auto found = find_object_file(finder, options.system_root, name);
    struct stat facts {};
    if (!found || ::stat(found->path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
    const bool is_same = inode != 0 && inode == facts.st_ino;
    if (!is_same && (options.needs_build_id || (options.needs_build_id_of_system && is_of_system(name))))
        return false;
    if (is_newer(facts, options.profile_time)) {
        newer.push_back(found->path);
        return false;
    }
    auto debug = find_debug_file(found->path, options.system_root);
    request.path = found->path;
    request.debug_path = std::move(debug.path);
    request.build_id = std::move(debug.build_id);
    return true;
}

}  // namespace

engine::NamesOfAddresses names_of_addresses(std::span<const engine::MappedCode> codes,
                                            std::span<const engine::AddressInCode> addresses,
                                            const InlineMapOptions& options) {
    std::map<std::string_view, AskedFile> files;
    for (const auto& address : addresses) {
        const auto& code = codes[address.code];
        auto& file = files[code.file];
        file.mapped.insert({.offset = code.offset, .size = code.size});
        file.offsets.insert(address.offset);
        file.inode = code.inode;
    }
    engine::NamesOfAddresses result;
    SourceFinder finder{options.search};
    std::vector<InlineRequest> requests;
    std::map<std::string_view, std::size_t> rows;  // of requests
    for (const auto& [name, file] : files) {
        InlineRequest request;
        if (!locate(finder, name, file.inode, options, result.newer, request)) continue;
        request.unnamed.assign(file.offsets.begin(), file.offsets.end());
        request.mapped.assign(file.mapped.begin(), file.mapped.end());
        rows[name] = requests.size();
        requests.push_back(std::move(request));
    }
    if (requests.empty()) return result;
    auto replies = ask_inline_worker(options.program, requests);
    if (!replies) return result;
    std::vector<std::uint32_t> first_names;  // by request
    for (const auto& reply : *replies) {
        first_names.push_back(static_cast<std::uint32_t>(result.names.size()));
        if (reply) result.names.insert(result.names.end(), reply->names.begin(), reply->names.end());
    }
    for (const auto& address : addresses) {
        result.rows.push_back(engine::NamesOfAddresses::none);
        const auto found = rows.find(codes[address.code].file);
        if (found == rows.end()) continue;
        const auto& reply = (*replies)[found->second];
        if (!reply || reply->rows_of_names.empty()) continue;
        const auto& unnamed = requests[found->second].unnamed;
        const auto at = std::lower_bound(unnamed.begin(), unnamed.end(), address.offset) - unnamed.begin();
        const auto name = reply->rows_of_names[static_cast<std::size_t>(at)];
        if (name != InlineSite::none) result.rows.back() = first_names[found->second] + name;
    }
    return result;
}

}  // namespace callcost::program

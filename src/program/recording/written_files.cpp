#include "recording/written_files.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "input/directory_entries.hpp"

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

/// Shorter numbers are smaller: `.2` comes before `.10`.
bool is_earlier(const std::string& a, const std::string& b) {
    return std::tuple(a.size(), std::string_view(a)) < std::tuple(b.size(), std::string_view(b));
}

}  // namespace

pid_t process_of_file(std::string_view path, std::string_view prefix) {
    if (!path.starts_with(prefix)) return 0;
    path.remove_prefix(prefix.size());
    pid_t process = 0;
    const auto [last, problem] = std::from_chars(path.data(), path.data() + path.size(), process);
    const std::string_view rest(last, static_cast<std::size_t>(path.data() + path.size() - last));
    const bool is_part = rest.empty() || (rest.find_first_of(".-") == 0 &&
                                          rest.find_first_not_of(".-0123456789") == std::string_view::npos);
    return problem == std::errc() && process > 0 && is_part ? process : 0;
}

std::map<pid_t, std::vector<std::string>> written_files(const std::string& prefix,
                                                        const std::vector<pid_t>& processes) {
    std::map<pid_t, std::vector<std::string>> found;
    std::map<pid_t, std::string> empty;
    const auto directory = prefix.substr(0, prefix.rfind('/') + 1);
    std::error_code problem;
    for_each_entry(directory, [&](const std::string& name, FileKind) {
        const auto path = directory + name;
        const auto process = process_of_file(path, prefix);
        if (std::find(processes.begin(), processes.end(), process) == processes.end()) return true;
        if (fs::file_size(path, problem) == 0) {
            empty[process] = path;
        } else {
            found[process].push_back(path);
        }
        return true;
    });
    for (auto& [process, files] : found) std::sort(files.begin(), files.end(), is_earlier);
    for (const auto& [process, path] : empty) {
        const auto files = found.find(process);
        if (files == found.end()) {
            fs::remove(path, problem);
        } else if (files->second.size() == 1) {
            fs::rename(files->second.front(), path, problem);
            if (!problem) files->second.front() = path;
        }
    }
    return found;
}

std::string rename_files(std::vector<std::string>& files, const std::string& prefix, pid_t process,
                         const std::string& name) {
    const auto base = prefix + std::to_string(process);
    std::error_code problem;
    for (auto& file : files) {
        const auto target = name + file.substr(std::min(base.size(), file.size()));
        fs::rename(file, target, problem);
        if (problem) return problem.message();
        file = target;
    }
    fs::rename(base, name, problem);  // there is none if it was one of them
    return {};
}

}  // namespace callcost::program

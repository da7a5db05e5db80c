#include "recording/completed_profile.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include <sys/stat.h>

#include "sources/elf_file.hpp"

namespace callcost::program {
namespace {

constexpr std::string_view unknown_object = "???";

/// The names of objects, which a file has once and numbers.
class ObjectNames {
  public:
    /// From the value of `ob=` or `cob=`, such as "(2) NAME" or "(2)".
    std::string_view name_of(std::string_view value) {
        if (!value.starts_with('(')) return value;
        const auto end = value.find(')');
        auto& name = names_[std::string(value.substr(0, end))];
        if (end != std::string_view::npos && end + 2 < value.size()) name = value.substr(end + 2);
        return name;
    }

  private:
    std::map<std::string, std::string> names_;
};

/// The name in "(2) NAME"; empty if there is only the number.
std::string_view name_in(std::string_view value) {
    if (!value.starts_with('(')) return value;
    const auto end = value.find(") ");
    return end == std::string_view::npos ? std::string_view() : value.substr(end + 2);
}

/// The lines of a profile, and which object their function is in.
class ProfileLines {
  public:
    explicit ProfileLines(std::istream& profile) : profile_(profile) {}

    bool next() {
        if (!std::getline(profile_, line)) return false;
        size_ += line.size() + (profile_.eof() ? 0U : 1U);
        const std::string_view text = line;
        is_function = text.starts_with("fn=");
        is_callee = text.starts_with("cfn=") || text.starts_with("jfn=");
        if (text.starts_with("ob=")) {
            object_ = objects_.name_of(text.substr(3));
        } else if (text.starts_with("cob=")) {
            callee_object_ = objects_.name_of(text.substr(4));
        } else if (text.starts_with("calls=")) {
            callee_object_.reset();
        }
        return true;
    }
    [[nodiscard]] std::string_view object() const {
        return is_callee && callee_object_ ? *callee_object_ : object_;
    }
    [[nodiscard]] std::string_view name() const {
        return is_function || is_callee ? name_in(std::string_view(line).substr(line.find('=') + 1))
                                        : std::string_view();
    }

    /// Where there are no more lines: their size, or why there are no more.
    [[nodiscard]] Result<std::uint64_t> end() const {
        if (profile_.bad()) return tl::unexpected(Error{.code = ErrorCode::read_failed});
        return size_;
    }

    std::string line;
    bool is_function = false, is_callee = false;

  private:
    std::istream& profile_;
    std::uint64_t size_ = 0;
    ObjectNames objects_;
    std::string object_{unknown_object};
    std::optional<std::string> callee_object_;
};

/// Later than that, in seconds of the clock. What copies or unpacks a file may set the time of its contents.
bool is_newer(const std::string& path, std::int64_t begin) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) != 0 || std::max(facts.st_mtim.tv_sec, facts.st_ctim.tv_sec) > begin;
}

}  // namespace

Result<RecordedCode> recorded_code(std::istream& profile) {
    RecordedCode code;
    std::set<std::string> objects;
    ProfileLines lines(profile);
    while (lines.next()) {
        if (!lines.is_function && !lines.is_callee) continue;
        if (lines.object() == unknown_object) {
            code.has_unknown = true;
            continue;
        }
        if (lines.is_function) objects.emplace(lines.object());
        const auto own = own_piece(lines.name());
        if (address_as_name(own)) code.object_names.emplace(own);
    }
    const auto size = lines.end();
    if (!size) return tl::unexpected(size.error());
    code.size = *size;
    code.objects.assign(objects.begin(), objects.end());
    return code;
}

std::vector<std::string> build_lines(const RecordedCode& code, std::int64_t begin) {
    std::vector<std::string> lines;
    for (const auto& object : code.objects) {
        if (!object.starts_with('/') || is_newer(object, begin)) continue;
        const auto id = build_id_of(object);
        if (id.empty()) continue;
        lines.emplace_back("desc: Build-id: ").append(id).append(" ").append(object);
    }
    return lines;
}

Result<NamedByMap> write_completed(std::istream& profile, const RecordedCode& code,
                                   const std::vector<std::string>& lines, const PerfMap& map,
                                   const Sink& sink) {
    constexpr std::size_t block = 1U << 20U;
    NamesByMap by_map(map, code.object_names);
    RoomForNames room(code.size);
    std::string out;
    ProfileLines read(profile);
    while (read.next()) {
        const std::string_view line = read.line;
        if (line.starts_with("positions:"))  // ends the head of a part, with `events:`
            for (const auto& added : lines) out.append(added).append("\n");
        const auto name = read.name();
        if (map.empty() || name.empty()) {
            out.append(line);
        } else {
            const bool has_object = read.object() != unknown_object;
            const auto named = room.named(name, [&](std::string_view piece, bool is_caller) {
                return by_map.name_of(piece, is_caller, has_object);
            });
            const auto before = line.substr(0, line.size() - name.size());
            // "(1) f" behind "fn=" would be a number.
            const bool is_kept = named.empty() || (named.front() == '(' && before.back() == '=');
            out.append(before).append(is_kept ? name : named);
        }
        out += '\n';
        if (out.size() < block) continue;
        if (auto done = sink(out); !done) return tl::unexpected(done.error());
        out.clear();
    }
    const auto size = read.end();
    if (!size) return tl::unexpected(size.error());
    if (*size != code.size)
        return tl::unexpected(
            Error{.code = ErrorCode::read_failed, .detail = "the file has changed meanwhile"});
    if (auto done = sink(out); !done) return tl::unexpected(done.error());
    return by_map.counts();
}

}  // namespace callcost::program

#include "sources/last_lines.hpp"

#include <algorithm>
#include <vector>

namespace callcost::program {

std::uint64_t LastLines::of(std::string_view recorded_name) {
    if (!are_known_ && profile_.detail() == Detail::full) {
        std::vector<std::uint64_t> last(profile_.file_count(), 0);
        for (std::size_t function = 0; function < profile_.function_count(); ++function) {
            auto cursor = profile_.records(FunctionId(function));
            for (Record record; cursor.next(record);)
                if (record.kind == Record::Kind::cost)
                    last[record.file.value] = std::max(last[record.file.value], record.line);
        }
        for (std::size_t file = 0; file < last.size(); ++file) {
            auto& of_name = lines_[profile_.name(FileId(file))];
            of_name = std::max(of_name, last[file]);
        }
    }
    are_known_ = true;
    const auto found = lines_.find(recorded_name);
    return found == lines_.end() ? 0 : found->second;
}

}  // namespace callcost::program

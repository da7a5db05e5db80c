#include "input/open.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "input/decompress.hpp"
#include "input/decompressing_reader.hpp"
#include "input/file_reader.hpp"
#include "input/read_ahead.hpp"

namespace callcost::program {

namespace {

/// Decompresses in read() itself. The count is a copy, because progress may be asked for from another thread.
void decompress_in_place(Source& source, DecompressingReader reader) {
    struct Counted {
        explicit Counted(DecompressingReader from) : reader(std::move(from)) {}
        DecompressingReader reader;
        std::atomic<std::uint64_t> consumed = 0;
    };
    auto counted = std::make_shared<Counted>(std::move(reader));
    source.read = [counted](std::span<char> buffer) {
        auto count = counted->reader.read(buffer);
        counted->consumed.store(counted->reader.consumed(), std::memory_order_relaxed);
        return count;
    };
    source.consumed = [counted] { return counted->consumed.load(std::memory_order_relaxed); };
}

void decompress_ahead(Source& source, DecompressingReader reader) {
    auto ahead = std::make_shared<ReadAhead>(std::move(reader));
    source.read = [ahead](std::span<char> buffer) { return ahead->read(buffer); };
    source.consumed = [ahead] { return ahead->consumed(); };
}

void read_plain(Source& source, FileReader file) {
    auto shared = std::make_shared<FileReader>(std::move(file));
    source.read = [shared](std::span<char> buffer) { return shared->read(buffer); };
}

}  // namespace

Result<Source> open_source(const std::string& path, const OpenOptions& options) {
    auto file =
        FileReader::open(path, options.only_regular ? FileReader::Kinds::regular : FileReader::Kinds::all);
    if (!file) return tl::unexpected(std::move(file.error()));

    Source source{.name = path == "-" ? "<stdin>" : path, .read = {}, .size = file->size(), .consumed = {}};
    const engine::Budget budget = options.force ? engine::no_budget : engine::decompression_budget;
    const Compression compression = detect_compression(file->head());
    if (compression == Compression::none) {
        read_plain(source, std::move(*file));
    } else if (options.decompress_on_thread) {
        decompress_ahead(source, {std::move(*file), compression, budget});
    } else {
        decompress_in_place(source, {std::move(*file), compression, budget});
    }
    return source;
}

}  // namespace callcost::program

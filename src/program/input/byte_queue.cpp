#include "input/byte_queue.hpp"

#include <algorithm>
#include <utility>

namespace callcost::program {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 20U;

}  // namespace

Sink ByteQueue::sink() {
    return [blocks = blocks_](std::string_view bytes) -> Result<void> {
        if (bytes.empty()) return {};  // an empty block would look like the end
        auto& waiting = blocks->waiting;
        if (waiting.empty() || waiting.back().size() + bytes.size() > waiting.back().capacity())
            waiting.emplace_back().reserve(std::max(block_size, bytes.size()));
        waiting.back() += bytes;
        return {};
    };
}

Source ByteQueue::source(std::string name) {
    Source source;
    source.name = std::move(name);
    for (const auto& block : blocks_->waiting) source.size += block.size();
    source.read = [blocks = blocks_](std::span<char> to) -> Result<std::size_t> {
        auto& [waiting, done] = *blocks;
        if (waiting.empty()) return std::size_t{0};
        const auto size = waiting.front().copy(to.data(), to.size(), done);
        done += size;
        if (done == waiting.front().size()) {
            waiting.pop_front();
            done = 0;
        }
        return size;
    };
    return source;
}

}  // namespace callcost::program

#include "parser/text_chunks.hpp"

#include <algorithm>
#include <cstring>

#include "parser/header_block.hpp"

namespace callcost {

namespace {

constexpr std::size_t padding = 32;

/// Where the last line of text[from, size) begins, npos if no LF is there.
std::size_t last_line_begin(const char* text, std::size_t from, std::size_t size) {
    const std::string_view lines(text + from, size - from);
    const std::size_t lf = lines.rfind('\n');
    return lf == std::string_view::npos ? std::string_view::npos : from + lf + 1;
}

/// A better place to cut than `end`, which is at a line's begin: before a function, in the last half of the
/// text.
std::size_t function_begin(const char* text, std::size_t end) {
    for (std::size_t line = end; line > end / 2;) {
        if (std::memcmp(text + line, "fn=", 3) == 0) return line;
        const std::size_t before = last_line_begin(text, 0, line - 1);
        if (before == std::string_view::npos) break;
        line = before;
    }
    return end;
}

}  // namespace

std::string_view TextChunk::last_line() const {
    if (size == 0) return {};
    const std::size_t from = size > 1 ? last_line_begin(buffer.get(), 0, size - 1) : std::string_view::npos;
    const std::size_t begin = from == std::string_view::npos ? 0 : from;
    return {buffer.get() + begin, size - 1 - begin};
}

void TextChunks::reserve(TextChunk& chunk, std::size_t capacity) const {
    // A buffer that a very long line has made large is not kept for ordinary ones.
    const bool oversized = chunk.capacity > 4 * chunk_size_ && capacity <= 2 * chunk_size_;
    if (chunk.capacity >= capacity && !oversized) return;
    std::unique_ptr<char[]> larger(new char[capacity + padding]);
    if (chunk.size != 0) std::memcpy(larger.get(), chunk.buffer.get(), chunk.size);
    chunk.buffer = std::move(larger);
    chunk.capacity = capacity;
}

/// Some bytes of the source; none at its end.
std::size_t TextChunks::read(std::span<char> to) {
    auto got = source_.read(to);
    if (got && *got > to.size()) {  // it cannot be right, nor can what it has written
        Error error;
        error.detail = "more bytes than fit";
        got = tl::unexpected(std::move(error));
    }
    if (!got) error_ = std::move(got.error());
    at_end_ = error_ || *got == 0;
    return at_end_ ? 0 : *got;
}

/// Reads until the chunk has at least `size` bytes; false if the input ends before.
bool TextChunks::fill(TextChunk& chunk, std::size_t size) {
    while (chunk.size < size && !at_end_)
        chunk.size += read({chunk.buffer.get() + chunk.size, chunk.capacity - chunk.size});
    return chunk.size >= size;
}

/// Whether a line that has no end within detection_limit is not one that shows that this is a profile (F11).
bool TextChunks::reject_line(std::string_view begun) {
    HeaderLine header;
    undecided_ = !parse_header_line({begun, 0, 0}, header) || !is_accepting_key(header.key);
    if (undecided_) at_end_ = rejected_ = true;
    return undecided_;
}

/// Where the first line begins that is too long; npos if there is none. Of a comment nothing is kept anyway.
std::size_t TextChunks::long_line(const TextChunk& chunk) const {
    if (chunk.size <= longest_line_) return std::string_view::npos;
    const std::string_view text(chunk.buffer.get(), chunk.size);
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        if (end - line > longest_line_ && text[line] != '#') return line;
        line = end + 1;
    }
    return std::string_view::npos;
}

/// How much of the begin of a long line stands for all of it (F67): more than any name that a producer
/// writes, whole numbers only.
std::size_t kept_of_line(std::string_view line) {
    constexpr std::size_t most = 65'536, max_of_comment = 256;  // more than a diagnostic shows
    line = line.substr(0, line[0] == '#' ? max_of_comment : most);
    const std::size_t equals = line.find('=');
    const bool is_name = equals <= 3;  // fn= to jfi=, and no calls=
    if (is_name || line[0] == '#') return line.size();
    const std::size_t blank = line.find_last_of(" \t");
    return blank == std::string_view::npos ? 0 : blank;
}

/// The buffer begins with a comment or a line that is too long: goes on behind its end, keeping but little of
/// it.
void TextChunks::skip_line(TextChunk& chunk) {
    const std::string_view begun(chunk.buffer.get(), chunk.size);
    const std::size_t end = std::min(begun.find('\n'), begun.size());
    const std::size_t kept = kept_of_line(begun.substr(0, end));
    bool found = end < begun.size();
    if (found) carry_ = begun.substr(end + 1);
    std::uint64_t skipped = end - kept;
    char last = begun[end - 1];
    std::unique_ptr<char[]> scratch(new char[chunk_size_]);
    while (!found && !at_end_) {
        if (undecided_ && chunk.offset + kept + skipped > detection_limit) {
            at_end_ = rejected_ = true;
            return;
        }
        const std::string_view text(scratch.get(), read({scratch.get(), chunk_size_}));
        if (text.empty()) break;
        const std::size_t lf = text.find('\n');
        found = lf != std::string_view::npos;
        if (found) carry_ = text.substr(lf + 1);
        const std::size_t size = found ? lf : text.size();
        if (size != 0) last = text[size - 1];
        skipped += size;
    }
    // The line needs no large buffer: many chunks may be on their way.
    chunk.size = kept;
    std::unique_ptr<char[]> small(new char[chunk_size_ + kept + 1 + padding]);
    std::memcpy(small.get(), chunk.buffer.get(), kept);
    chunk.buffer = std::move(small);
    chunk.capacity = chunk_size_ + kept + 1;
    if (last == '\r') chunk.buffer[chunk.size++] = '\r';
    chunk.buffer[chunk.size++] = '\n';
    std::memset(chunk.buffer.get() + chunk.size, '\n', padding);
    chunk.cut = !found;
    chunk.begins_function = kept >= 3 && std::memcmp(chunk.buffer.get(), "fn=", 3) == 0;
    offset_ += skipped - (last == '\r' ? 1 : 0) + chunk.size - (chunk.cut ? 1 : 0);
}

bool TextChunks::next(TextChunk& chunk) {
    chunk.size = 0;
    chunk.cut = chunk.too_long = chunk.begins_function = chunk.bom = false;
    chunk.offset = offset_;
    reserve(chunk, std::max(chunk_size_, carry_.size() + chunk_size_ / 2) + 1);
    std::memcpy(chunk.buffer.get(), carry_.data(), carry_.size());
    chunk.size = carry_.size();
    carry_.clear();

    std::size_t end = std::string_view::npos;
    for (std::size_t searched = 0;;) {
        fill(chunk, std::max(chunk.size + 1, chunk.capacity - 1 - chunk_size_ / 4));
        if (first_) {
            first_ = false;
            if (chunk.size >= 3 && std::memcmp(chunk.buffer.get(), "\xef\xbb\xbf", 3) == 0) {
                chunk.bom = true;
                offset_ = chunk.offset = 3;
                chunk.size -= 3;
                std::memmove(chunk.buffer.get(), chunk.buffer.get() + 3, chunk.size);
            }
        }
        if (at_end_) break;
        end = last_line_begin(chunk.buffer.get(), searched, chunk.size);
        if (end != std::string_view::npos) break;
        searched = chunk.size;
        const bool undecided = undecided_ && chunk.offset + chunk.size > detection_limit;
        if (undecided && reject_line({chunk.buffer.get(), chunk.size})) return false;
        const bool comment = chunk.buffer[0] == '#' && chunk.size >= chunk_size_ / 2 && chunk.size > 4096;
        if (comment || chunk.size > longest_line_) {
            chunk.too_long = !comment;
            skip_line(chunk);
            return !rejected_;
        }
        if (chunk.size + chunk_size_ / 4 >= chunk.capacity) {
            const std::size_t most = longest_line_ + 2 + chunk_size_ / 4;
            reserve(chunk, std::max(chunk.capacity + 1, std::min(2 * chunk.capacity, most)));
        }
    }
    const std::size_t too_long = long_line(chunk);
    if (too_long == 0) {
        chunk.too_long = true;
        skip_line(chunk);
        return !rejected_;
    }
    if (too_long != std::string_view::npos) {  // it begins the next chunk
        carry_.assign(chunk.buffer.get() + too_long, chunk.size - too_long);
        chunk.size = too_long;
    } else if (at_end_) {
        if (chunk.size == 0) return false;
        if (chunk.buffer[chunk.size - 1] != '\n') {
            reserve(chunk, chunk.size + 1);
            chunk.buffer[chunk.size++] = '\n';
            chunk.cut = true;
        }
        end = chunk.size;
    } else {
        end = function_begin(chunk.buffer.get(), end);
        if (end < chunk.size) carry_.assign(chunk.buffer.get() + end, chunk.size - end);
        chunk.size = end;
    }
    std::memset(chunk.buffer.get() + chunk.size, '\n', padding);
    chunk.begins_function = std::memcmp(chunk.buffer.get(), "fn=", 3) == 0;
    offset_ += chunk.size - (chunk.cut ? 1 : 0);
    return true;
}

}  // namespace callcost

/// @file file.hpp
/// A Source over a file. It is header-only, so that the library itself opens no files. Include it unless your
/// program gets its bytes from elsewhere (source.hpp).
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "callcost/error.hpp"
#include "callcost/source.hpp"

namespace callcost {

/// Opens a file, which is read in blocks and closed with the last copy of the Source. Errors: cannot_open
/// with the operating system's reason in `detail`, for directories, too; not_a_profile for compressed data,
/// which a Source of your own can decompress.
[[nodiscard]] inline Result<Source> from_file(const std::string& path) {
    const auto failure = [path](ErrorCode code, int reason) {
        return tl::unexpected(
            Error{.code = code, .detail = std::generic_category().message(reason), .source = path});
    };
    const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rb"), [](std::FILE* opened) {
        if (opened != nullptr) std::fclose(opened);
    });
    if (file == nullptr) return failure(ErrorCode::cannot_open, errno);
    const int first = std::fgetc(file.get());  // a directory can be opened, but not be read
    if (std::ferror(file.get()) != 0) return failure(ErrorCode::cannot_open, errno);
    if (first != EOF) std::ungetc(first, file.get());

    Source source;
    source.name = path;
    if (std::fseek(file.get(), 0, SEEK_END) == 0) {  // not a pipe
        const auto size = std::ftell(file.get());
        if (size > 0) source.size = static_cast<std::uint64_t>(size);
        std::rewind(file.get());
        constexpr std::string_view compressed[] = {"\x1f\x8b", "BZh",
                                                   "\xfd"
                                                   "7zXZ",
                                                   "\x28\xb5\x2f\xfd"};
        char front[5] = {};
        const std::string_view magic(front, std::fread(front, 1, sizeof front, file.get()));
        std::rewind(file.get());
        for (const auto kind : compressed)
            if (magic.starts_with(kind))
                return tl::unexpected(Error{.code = ErrorCode::not_a_profile,
                                            .detail = "this file is compressed",
                                            .source = path,
                                            .advice = "decompress it first; from_file does not"});
    }
    source.read = [file, failure](std::span<char> buffer) -> Result<std::size_t> {
        const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), file.get());
        if (size == 0 && std::ferror(file.get()) != 0) return failure(ErrorCode::read_failed, errno);
        return size;
    };
    return source;
}

}  // namespace callcost

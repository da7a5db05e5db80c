/// What modules have of the page, and what the page has of them: the file that is being read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <callcost/error.hpp>
#include <callcost/source.hpp>

#define IMPORT(name) extern "C" __attribute__((import_module("page"), import_name(#name)))
#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

/// Fills the front of a buffer with the bytes of the file that is being read: how many, 0 at the end, -1
/// where compressed data break off, -2 where reading does.
IMPORT(read) std::ptrdiff_t page_read(char* to, std::size_t size);

namespace callcost {

inline Source file_of_page(std::string name, double size) {
    Source source;
    source.name = std::move(name);
    source.size = static_cast<std::uint64_t>(size);
    source.read = [](std::span<char> to) -> Result<std::size_t> {
        const auto count = page_read(to.data(), to.size());
        if (count >= 0) return static_cast<std::size_t>(count);
        const auto code = count == -1 ? ErrorCode::truncated_compression : ErrorCode::read_failed;
        return tl::unexpected(Error{code, 0, 0, 0, {}});
    };
    return source;
}

}  // namespace callcost

/// Compresses texts for the tests of the input room, with the libraries themselves.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "input/decompress.hpp"

namespace callcost::test {

inline std::string gzip(std::string_view text) {
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("deflate failed");
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string bzip2(std::string_view text) {
    auto size = static_cast<unsigned>(text.size() + text.size() / 50 + 1000);
    std::string out(size, '\0');
    const auto length = static_cast<unsigned>(text.size());
    if (BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()), length, 1, 0, 0) != BZ_OK)
        throw std::runtime_error("bzip2 failed");
    out.resize(size);
    return out;
}

inline std::string xz(std::string_view text) {
    std::string out(lzma_stream_buffer_bound(text.size()), '\0');
    std::size_t size = 0;
    const auto* in = reinterpret_cast<const std::uint8_t*>(text.data());
    auto* to = reinterpret_cast<std::uint8_t*>(out.data());
    if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, in, text.size(), to, &size, out.size()) !=
        LZMA_OK)
        throw std::runtime_error("xz failed");
    out.resize(size);
    return out;
}

inline std::string zstd(std::string_view text, int window_log = 0) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    std::string out(ZSTD_compressBound(text.size()) + 100, '\0');
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    // In two steps, so that the size of the text is not in the header and its window is as large as was asked
    // for.
    if (window_log != 0) ZSTD_compressStream2(context, &to, &in, ZSTD_e_continue);
    const std::size_t rest = ZSTD_compressStream2(context, &to, &in, ZSTD_e_end);
    ZSTD_freeCCtx(context);
    if (rest != 0) throw std::runtime_error("zstd failed");
    out.resize(to.pos);
    return out;
}

inline std::string compress(program::Compression compression, std::string_view text) {
    switch (compression) {
        case program::Compression::none:
            return std::string(text);
        case program::Compression::gzip:
            return gzip(text);
        case program::Compression::bzip2:
            return bzip2(text);
        case program::Compression::xz:
            return xz(text);
        case program::Compression::zstd:
            return zstd(text);
    }
    return {};
}

/// Lines like those of a profile; not too easy to compress.
inline std::string profile_text(std::size_t size) {
    std::string text = "# callgrind format\nevents: Ir\n";
    std::uint32_t random = 1;
    while (text.size() < size) {
        random = random * 1664525U + 1013904223U;
        text += "+" + std::to_string(random >> 29U) + " " + std::to_string(random >> 20U) + "\n";
        if (random % 16 == 0) text += "fn=(" + std::to_string(random >> 24U) + ") function_name\n";
    }
    text.resize(size);
    return text;
}

}  // namespace callcost::test

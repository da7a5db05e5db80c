#include "input/decompress.hpp"

#include <algorithm>
#include <array>
#include <climits>

#define ZLIB_CONST
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace callcost::program {

namespace {

using State = Step::State;

Step damaged(const char* problem) { return {.state = State::damaged, .problem = problem}; }

/// zlib and libbz2 count in unsigned int.
unsigned clamp(std::size_t size) { return static_cast<unsigned>(std::min<std::size_t>(size, UINT_MAX)); }

class GzipDecoder final : public Decoder {
  public:
    GzipDecoder() : is_ready_(inflateInit2(&stream_, MAX_WBITS + gzip_only) == Z_OK) {}
    ~GzipDecoder() override { inflateEnd(&stream_); }

    void restart() override { inflateReset(&stream_); }

    Step decode(std::span<const char> in, std::span<char> out) override {
        if (!is_ready_) return damaged("gzip: out of memory");
        stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
        stream_.avail_in = clamp(in.size());
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = clamp(out.size());
        const int status = inflate(&stream_, Z_NO_FLUSH);
        Step step{.consumed = clamp(in.size()) - stream_.avail_in,
                  .produced = clamp(out.size()) - stream_.avail_out};
        if (status == Z_STREAM_END) {
            step.state = State::member_end;
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            step.state = State::damaged;
            step.problem = status == Z_MEM_ERROR ? "gzip: out of memory" : "gzip: corrupt compressed data";
        }
        return step;
    }

  private:
    static constexpr int gzip_only = 16;  // no bare zlib streams

    z_stream stream_{};
    bool is_ready_;
};

class Bzip2Decoder final : public Decoder {
  public:
    Bzip2Decoder() : is_ready_(BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK) {}
    ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }

    void restart() override {
        BZ2_bzDecompressEnd(&stream_);
        stream_ = {};
        is_ready_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
    }

    Step decode(std::span<const char> in, std::span<char> out) override {
        if (!is_ready_) return damaged("bzip2: out of memory");
        stream_.next_in = const_cast<char*>(in.data());  // it only reads; the interface predates const
        stream_.avail_in = clamp(in.size());
        stream_.next_out = out.data();
        stream_.avail_out = clamp(out.size());
        const int status = BZ2_bzDecompress(&stream_);
        Step step{.consumed = clamp(in.size()) - stream_.avail_in,
                  .produced = clamp(out.size()) - stream_.avail_out};
        if (status == BZ_STREAM_END) {
            step.state = State::member_end;
        } else if (status != BZ_OK) {
            step.state = State::damaged;
            step.problem = status == BZ_MEM_ERROR ? "bzip2: out of memory" : "bzip2: corrupt compressed data";
        }
        return step;
    }

  private:
    bz_stream stream_{};
    bool is_ready_;
};

class XzDecoder final : public Decoder {
  public:
    XzDecoder() { restart(); }
    ~XzDecoder() override { lzma_end(&stream_); }

    void restart() override { is_ready_ = lzma_stream_decoder(&stream_, max_memory, 0) == LZMA_OK; }

    Step decode(std::span<const char> in, std::span<char> out) override {
        if (!is_ready_) return damaged("xz: out of memory");
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
        stream_.avail_in = in.size();
        stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
        stream_.avail_out = out.size();
        const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
        Step step{.consumed = in.size() - stream_.avail_in, .produced = out.size() - stream_.avail_out};
        if (status == LZMA_STREAM_END) {
            step.state = State::member_end;
        } else if (status != LZMA_OK && status != LZMA_BUF_ERROR) {
            step.state = State::damaged;
            step.problem = problem(status);
        }
        return step;
    }

  private:
    static constexpr std::uint64_t max_memory =
        1ULL << 30;  // `xz -9` needs 65 MiB; a hostile header may ask for 4 GiB

    static const char* problem(lzma_ret status) {
        switch (status) {
            case LZMA_MEM_ERROR:
                return "xz: out of memory";
            case LZMA_MEMLIMIT_ERROR:
                return "xz: needs more than 1 GiB of memory to decompress";
            case LZMA_OPTIONS_ERROR:
                return "xz: unsupported compression options";
            default:
                return "xz: corrupt compressed data";
        }
    }

    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool is_ready_ = false;
};

class ZstdDecoder final : public Decoder {
  public:
    ZstdDecoder() : context_(ZSTD_createDCtx()) {
        if (context_) ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, window_log);
    }

    void restart() override { wanted_ = 0; }  // the context itself goes on with the next frame

    Step decode(std::span<const char> in, std::span<char> out) override {
        if (!context_) return damaged("zstd: out of memory");
        // On an error the library keeps to itself what it has decoded in the same call. So it gets no more
        // than one block at a time: what it wants next.
        const std::size_t want = wanted_ == 0 ? smallest_header : wanted_;
        ZSTD_inBuffer input{in.data(), std::min(in.size(), want), 0};
        ZSTD_outBuffer output{out.data(), out.size(), 0};
        const std::size_t status = ZSTD_decompressStream(context_.get(), &output, &input);
        Step step{.consumed = input.pos, .produced = output.pos};
        if (ZSTD_isError(status) != 0U) {
            step.state = State::damaged;
            step.problem = problem(status);
        } else if (status == 0) {
            step.state = State::member_end;
        } else {
            wanted_ = status;
        }
        return step;
    }

  private:
    static constexpr int window_log = 30;  // `zstd --ultra --long=31` is not read: it needs 2 GiB of memory
    static constexpr std::size_t smallest_header = 5;

    static const char* problem(std::size_t status) {
        switch (ZSTD_getErrorCode(status)) {
            case ZSTD_error_memory_allocation:
                return "zstd: out of memory";
            case ZSTD_error_frameParameter_windowTooLarge:
                return "zstd: needs more than 1 GiB of memory to decompress";
            case ZSTD_error_dictionary_wrong:
                return "zstd: dictionary required";
            default:
                return "zstd: corrupt compressed data";
        }
    }

    struct FreeContext {
        void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
    };
    std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
    std::size_t wanted_ = 0;  // bytes the library asked for; 0 = a frame begins
};

struct Mark {
    Compression compression;
    std::string_view bytes;
};
constexpr std::array marks{
    Mark{Compression::gzip, "\x1f\x8b"},
    Mark{Compression::bzip2, "BZh"},  // and a digit
    Mark{Compression::xz, {"\xfd\x37zXZ\0", 6}},
    Mark{Compression::zstd, "\x28\xb5\x2f\xfd"},
};

/// A zstd file may begin with frames that hold nothing for us; pzstd writes them.
bool is_skippable_frame(std::string_view bytes) {
    return bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xf0U) == 0x50U &&
           bytes.substr(1, 3) == "\x2a\x4d\x18";
}

}  // namespace

Compression detect_compression(std::string_view first_bytes) {
    for (const Mark& mark : marks) {
        if (!first_bytes.starts_with(mark.bytes)) continue;
        const bool needs_digit = mark.compression == Compression::bzip2;
        if (needs_digit && (first_bytes.size() < 4 || first_bytes[3] < '1' || first_bytes[3] > '9')) continue;
        return mark.compression;
    }
    return is_skippable_frame(first_bytes) ? Compression::zstd : Compression::none;
}

bool is_cut_mark(Compression compression, std::string_view bytes) {
    return std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
        const bool is_shorter = bytes.size() < mark.bytes.size() || bytes == "BZh";
        return mark.compression == compression && is_shorter && mark.bytes.starts_with(bytes);
    });
}

std::unique_ptr<Decoder> make_decoder(Compression compression) {
    switch (compression) {
        case Compression::none:
            return nullptr;
        case Compression::gzip:
            return std::make_unique<GzipDecoder>();
        case Compression::bzip2:
            return std::make_unique<Bzip2Decoder>();
        case Compression::xz:
            return std::make_unique<XzDecoder>();
        case Compression::zstd:
            return std::make_unique<ZstdDecoder>();
    }
    return nullptr;
}

}  // namespace callcost::program

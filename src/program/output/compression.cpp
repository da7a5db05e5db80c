#include "output/compression.hpp"

#include <array>
#include <limits>
#include <memory>
#include <new>

#include <zlib.h>
#include <zstd.h>

namespace callcost::program {
namespace {

class Gzip {
  public:
    Gzip(const Sink& sink, int level) : sink_(sink) {
        constexpr int gzip = 16;  // added to the size of the window
        if (deflateInit2(&z_, level, Z_DEFLATED, MAX_WBITS + gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;
    ~Gzip() { deflateEnd(&z_); }

    Result<void> compress(std::string_view bytes, int flush) {
        do {
            const auto some = bytes.substr(0, std::numeric_limits<uInt>::max());
            z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(some.data()));  // zlib only reads there
            z_.avail_in = static_cast<uInt>(some.size());
            bytes.remove_prefix(some.size());
            do {
                z_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
                z_.avail_out = static_cast<uInt>(buffer_.size());
                deflate(&z_, flush);
                const auto size = buffer_.size() - z_.avail_out;
                if (size == 0) continue;
                if (auto written = sink_({buffer_.data(), size}); !written) return written;
            } while (z_.avail_out == 0);
        } while (!bytes.empty());
        return {};
    }

  private:
    const Sink& sink_;
    z_stream z_{};
    std::array<char, 65'536> buffer_{};
};

class Zstd {
  public:
    explicit Zstd(const Sink& sink) : sink_(sink) {
        if (!context_) throw std::bad_alloc();
        constexpr int level = 6;  // beyond it files get little smaller and take much longer
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    }

    Result<void> compress(std::string_view bytes, ZSTD_EndDirective end) {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        std::size_t left = 0;
        do {
            ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
            left = ZSTD_compressStream2(context_.get(), &out, &in, end);
            if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // nothing else can go wrong
            if (out.pos == 0) continue;
            if (auto written = sink_({buffer_.data(), out.pos}); !written) return written;
        } while (in.pos < in.size || (end == ZSTD_e_end && left != 0));
        return {};
    }

  private:
    struct Free {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };
    const Sink& sink_;
    std::unique_ptr<ZSTD_CCtx, Free> context_{ZSTD_createCCtx()};
    std::array<char, 65'536> buffer_{};
};

}  // namespace

Result<void> gzip(const Sink& sink, const std::function<Result<void>(const Sink&)>& write, GzipLevel level) {
    const auto compressor =
        std::make_unique<Gzip>(sink, level == GzipLevel::fast ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION);
    const auto done = write([&](std::string_view bytes) { return compressor->compress(bytes, Z_NO_FLUSH); });
    return done ? compressor->compress({}, Z_FINISH) : done;
}

Result<void> compress_as(std::string_view path, const Sink& sink,
                         const std::function<Result<void>(const Sink&)>& write) {
    if (path.ends_with(".gz")) return gzip(sink, write);
    if (!path.ends_with(".zst")) return write(sink);
    const auto compressor = std::make_unique<Zstd>(sink);
    const auto done =
        write([&](std::string_view bytes) { return compressor->compress(bytes, ZSTD_e_continue); });
    return done ? compressor->compress({}, ZSTD_e_end) : done;
}

}  // namespace callcost::program

#include "history/packed_profile.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include <fmt/format.h>
#include <zstd.h>

namespace callcost::program {
namespace {

constexpr int level = 3;
// Below it zstd's usual search finds next to all of the text in the base, in half the time of the one for
// long distances.
constexpr std::size_t long_distance = std::size_t{16} << 20U;

/// Of a window that holds both, within what zstd allows.
int window_bits(std::size_t profile, std::size_t base) {
    const int most = ZSTD_cParam_getBounds(ZSTD_c_windowLog).upperBound;  // fewer on processors of 32 bits
    return std::clamp(static_cast<int>(std::bit_width(profile + base)), 10, most);
}

tl::unexpected<StoreProblem> failure(std::string text) {
    return tl::unexpected(StoreProblem{std::move(text)});
}

}  // namespace

void Packer::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

Stored<std::string_view> Packer::pack(std::string_view profile, std::string_view base) {
    if (!context_) context_.reset(ZSTD_createCCtx());
    auto* context = context_.get();
    if (context == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    if (!base.empty()) {
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_bits(profile.size(), base.size()));
        ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching,
                               base.size() > long_distance ? 1 : 0);
        ZSTD_CCtx_refPrefix(context, base.data(), base.size());
    }
    const auto most = ZSTD_compressBound(profile.size());
    if (buffer_.size() < most) buffer_.resize(most);
    const auto size = ZSTD_compress2(context, buffer_.data(), buffer_.size(), profile.data(), profile.size());
    if (ZSTD_isError(size) != 0U)
        return failure(fmt::format("zstd cannot compress: {}", ZSTD_getErrorName(size)));
    return std::string_view(buffer_.data(), size);
}

Stored<std::string> unpacked(std::string_view packed, std::string_view base) {
    const auto content = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (content == ZSTD_CONTENTSIZE_UNKNOWN || content == ZSTD_CONTENTSIZE_ERROR ||
        content > largest_stored_profile)
        return failure("a stored profile is damaged");
    const auto size = static_cast<std::size_t>(content);
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    if (!context) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, window_bits(size, base.size()));
    ZSTD_DCtx_refPrefix(context.get(), base.data(), base.size());
    std::string bytes(size, '\0');
    const auto done =
        ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(), packed.data(), packed.size());
    if (ZSTD_isError(done) != 0U || done != size) return failure("a stored profile is damaged");
    return bytes;
}

}  // namespace callcost::program

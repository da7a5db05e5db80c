/// SipHash-2-4 without a key: `sipHash64` of ClickHouse, so that SQL and we name rows by the same numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace callcost::program {

[[nodiscard]] std::uint64_t sip_hash(std::string_view bytes);

}  // namespace callcost::program

/// Machine code that a page has without the program: of some functions, as JSON (docs/protocol.md).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include <callcost/lines.hpp>

namespace callcost::engine {

/// What a host answers about one function.
struct EmbeddedFunction {
    std::string object;                ///< as in the profile
    std::vector<AddressRange> ranges;  ///< where it has cost, ascending
    MachineCode code;                  ///< in AT&T syntax
    InlinedCode inlined{};             ///< `lines` are not kept: there are addresses
};

[[nodiscard]] std::string code_to_json(std::span<const EmbeddedFunction> functions);

/// The functions of one profile, read when they are first asked for.
class EmbeddedCode {
  public:
    explicit EmbeddedCode(std::string json) : json_(std::move(json)) {}

    /// As the host that it is from would answer; a problem if it is not of these functions.
    [[nodiscard]] MachineCode machine_code(std::string_view object, std::span<const AddressRange> ranges,
                                           Syntax syntax);
    [[nodiscard]] InlinedCode inlined_code(std::string_view object, std::span<const AddressRange> ranges);

  private:
    /// The one that has all these ranges; null if there is none.
    [[nodiscard]] const EmbeddedFunction* find(std::string_view object, std::span<const AddressRange> ranges);

    std::string json_;  // empty when it is read
    std::vector<EmbeddedFunction> functions_;
};

}  // namespace callcost::engine

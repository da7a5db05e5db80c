/// Names of what profiles of other formats have addresses of: those of the symbol tables of programs and
/// libraries that are still there.
#pragma once

#include <span>

#include "import_model/import_options.hpp"
#include "inlining/inline_maps.hpp"

namespace callcost::program {

/// For ImportOptions::find_names. Nothing is known of a file whose code is longer, or lies elsewhere in it,
/// than what was mapped. InlineMapOptions::needs_build_id and _of_system ask for the same inode.
[[nodiscard]] engine::NamesOfAddresses names_of_addresses(std::span<const engine::MappedCode> codes,
                                                          std::span<const engine::AddressInCode> addresses,
                                                          const InlineMapOptions& options);

}  // namespace callcost::program

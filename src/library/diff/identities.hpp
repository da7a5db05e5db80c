/// What the functions of two profiles are known by.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/name_table.hpp"
#include "callcost/call_graph.hpp"
#include "callcost/diff.hpp"

namespace callcost {

/// Rows of a table of names that both sides share.
struct Identity {
    std::uint32_t written_object = 0, written_file = 0;  ///< as the options have them, else as they are
    std::uint32_t object = 0, file = 0;                  ///< whatever build they are of (CommonPlaces)
    std::uint32_t name = 0, canonical = 0;
    bool is_counted = false;  ///< only a number tells it from others
};

class Identities {
  public:
    Identities(const CallGraph& before, const CallGraph& after, const DiffOptions& options);

    [[nodiscard]] const Identity& of(std::size_t side, NodeId node) const {
        return identities_.at(side)[node.value];
    }
    [[nodiscard]] std::size_t text_count() const { return names_.size(); }
    [[nodiscard]] std::string_view text(std::uint32_t row) const { return names_[row]; }
    [[nodiscard]] bool has_object(std::size_t side, std::uint32_t object) const;
    [[nodiscard]] bool has_file(std::size_t side, std::uint32_t file) const;

  private:
    struct Canonical {
        std::uint32_t name;
        bool was_counted;
    };
    void identify(std::size_t side, const CallGraph& graph, const DiffOptions& options);
    void find_places(std::size_t side, CommonPlaces& places);
    [[nodiscard]] Canonical canonical_of(std::uint32_t name);

    NameTable names_{std::string_view()};
    std::array<std::vector<Identity>, 2> identities_;
    std::vector<std::optional<Canonical>> canonical_;            // by name: most are on both sides
    std::array<std::vector<std::uint32_t>, 2> objects_, files_;  // sorted
};

}  // namespace callcost

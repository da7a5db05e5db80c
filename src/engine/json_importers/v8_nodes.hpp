/// The nodes of V8's profiles as stacks: each is a function, called from the node above.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "encodings/import_notes.hpp"
#include "import_model/imported_stacks.hpp"
#include "json_importers/v8_json.hpp"
#include "tables/row_tables.hpp"

namespace callcost::engine {

class V8Nodes {
  public:
    /// Notes what ids nothing has, or two nodes. All that is given has to stay.
    V8Nodes(const V8Json& json, StackProfile& profile, ImportNotes& notes);

    /// The row of the node with an id; no_row, and a note, if there is none.
    [[nodiscard]] std::uint32_t row(std::int64_t id);
    /// By node: rows, no_row above a root.
    [[nodiscard]] std::span<const std::uint32_t> callers() const { return callers_; }
    [[nodiscard]] std::span<const StackFrame> frames() const { return frames_; }

  private:
    void number_nodes();
    void find_callers();
    void set_caller(std::uint32_t node, std::uint32_t caller);
    void name_functions();

    const V8Json& json_;
    StackProfile& profile_;
    ImportNotes& notes_;
    KeyRows ids_;
    std::vector<std::uint32_t> ids_rows_;  // nodes by the row of their id
    std::vector<std::uint32_t> callers_;
    std::vector<StackFrame> frames_;
};

}  // namespace callcost::engine

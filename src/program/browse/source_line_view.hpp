/// The source of a function with what each line costs and calls, as `annotate` has it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "answers/called_functions.hpp"
#include "browse/browsed_profile.hpp"
#include "browse/list_view.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

class SourceLineView : public ListView {
  public:
    /// The profile must outlive this. Begins with the function's own file, at its hottest line.
    SourceLineView(const BrowsedProfile& profile, engine::FunctionAt function);

    [[nodiscard]] std::vector<Column> columns() const override;
    [[nodiscard]] std::size_t size() const override { return rows_.size(); }
    [[nodiscard]] std::vector<Cell> row(std::size_t row) const override;
    [[nodiscard]] FunctionNames names(std::size_t row) const override;
    [[nodiscard]] std::optional<engine::FunctionAt> function(std::size_t row) const override;
    [[nodiscard]] std::size_t first_row() const override { return hottest_.empty() ? 0 : hottest_.front(); }
    [[nodiscard]] std::string note() const override;
    [[nodiscard]] bool press(const Key& key, std::size_t& row) override;

  private:
    struct Row {
        std::uint64_t line = 0;
        std::string_view text{};         ///< of the line
        const LineCost* cost = nullptr;  ///< null: none
        std::size_t call = not_a_call;   ///< row of `calls_`
    };
    static constexpr auto not_a_call = static_cast<std::size_t>(-1);

    void show_file(std::size_t file);
    void add_line(std::uint64_t line, std::string_view text, const LineCost* cost);
    [[nodiscard]] std::vector<Cell> row_of_call(const engine::CalledFunction& called) const;

    const BrowsedProfile& profile_;
    engine::FunctionAt function_;
    std::vector<FileLines> files_;
    std::size_t file_ = 0;
    engine::SourceFile source_;
    std::vector<engine::CalledFunction> calls_;
    std::vector<Row> rows_;
    std::vector<std::size_t> hottest_;  // rows, by their cost
    std::size_t offset_ = 0;            // characters at the left that are not shown
};

}  // namespace callcost::program

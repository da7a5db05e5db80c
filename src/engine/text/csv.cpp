#include "text/csv.hpp"

#include "text/names.hpp"

namespace callcost::engine {

void CsvWriter::header(const std::vector<std::string>& titles) {
    for (const auto& title : titles) text(title);
    end_row();
}

void CsvWriter::text(std::string_view bytes) {
    begin_field();
    auto field = visible_name(bytes);
    if (names_ == CsvNames::guarded && !field.empty() &&
        std::string_view("=+-@").find(field.front()) != std::string_view::npos) {
        field.insert(0, 1, '\'');
    }
    const char separator = fields_ == CsvFields::commas ? ',' : '"';  // a text never holds a tab
    auto quote = field.find('"');
    if (quote == std::string::npos && field.find(separator) == std::string::npos) {
        *out_ += field;
        return;
    }
    *out_ += '"';
    std::size_t done = 0;
    for (; quote != std::string::npos; quote = field.find('"', done)) {
        out_->append(field, done, quote - done).append("\"\"");
        done = quote + 1;
    }
    out_->append(field, done).append("\"");
}

void CsvWriter::decimal(std::string_view digits) {
    begin_field();
    *out_ += digits;
}

void CsvWriter::end_row() {
    *out_ += fields_ == CsvFields::commas ? "\r\n" : "\n";
    is_row_begun_ = false;
}

void CsvWriter::begin_field() {
    if (is_row_begun_) *out_ += fields_ == CsvFields::commas ? ',' : '\t';
    is_row_begun_ = true;
}

void add_titles(std::vector<std::string>& titles, std::string_view prefix,
                const std::vector<Measure>& measures) {
    for (const auto& measure : measures) titles.push_back(std::string(prefix) + "_" + measure.name);
}

}  // namespace callcost::engine

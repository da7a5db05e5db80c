#include "exporters/firefox.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporters/text_blocks.hpp"
#include "import_model/estimated_marks.hpp"
#include "tables/row_tables.hpp"
#include "text/json.hpp"
#include <callcost/callcost.hpp>

namespace callcost::engine {
namespace {

/// How a weight is written: a whole number with so many decimals.
struct WeightType {
    std::string_view name = "samples";
    std::int64_t factor = 1;
    std::size_t decimals = 0;
};

WeightType weight_type_of(const Measure& measure) {
    const Unit unit = unit_of(measure);
    if (unit.name == "bytes") return {.name = "bytes", .factor = unit.factor};
    if (unit.name == "nanoseconds") return {.name = "tracing-ms", .factor = unit.factor, .decimals = 6};
    if (unit.name == "microseconds") return {.name = "tracing-ms", .factor = unit.factor, .decimals = 3};
    if (unit.name == "milliseconds") return {.name = "tracing-ms", .factor = unit.factor};
    if (unit.name == "seconds") return {.name = "tracing-ms", .factor = 1000 * unit.factor};
    return {};
}

std::string decimal_text(std::int64_t number, std::size_t decimals) {
    std::string digits = std::to_string(number);
    if (decimals == 0) return digits;
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
}

class FirefoxWriter {
  public:
    FirefoxWriter(const CallGraph& graph, StackOptions options, const Sink& sink)
        : graph_(graph),
          options_(std::move(options)),
          functions_(graph),
          blocks_(sink),
          json_(blocks_.text(), {}) {
        options_.tree.direction = TreeDirection::callees;
    }

    Result<void> write() {
        json_.begin_object();
        write_meta();
        json_.key("threads");
        json_.begin_array();
        for (const auto& measure : measures_of(graph_, options_)) {
            write_thread(tree_of(graph_, options_, measure));
            if (!blocks_.end_row()) return blocks_.finish();
        }
        json_.end_array();
        number_names();
        write_libs();
        write_shared();
        json_.end_object();
        blocks_.text() += '\n';
        return blocks_.finish();
    }

  private:
    static constexpr std::uint32_t none = FunctionTable::unknown;

    /// What its page does without is left out.
    void write_meta() {
        json_.key("meta");
        json_.begin_object();
        json_.member("preprocessedProfileVersion", 60);
        json_.member("version", 31);  // of Gecko's format
        json_.member("importedFrom", std::string("callcost ").append(version()));
        json_.member("product", options_.name.empty() ? "callcost" : options_.name);
        for (const auto* const zero : {"startTime", "processType", "stackwalk"}) json_.member(zero, 0);
        json_.member("interval", 1);
        for (const auto* const yes :
             {"symbolicated", "usesOnlyOneStackType", "sourceCodeIsNotOnSearchfox", "keepProfileThreadOrder"})
            json_.member(yes, true);
        json_.key("categories");
        json_.begin_array();
        json_.begin_object();
        json_.member("name", "Other");
        json_.member("color", "grey");
        json_.key("subcategories");
        json_.begin_array();
        json_.value("Other");
        json_.end_array();
        json_.end_object();
        json_.end_array();
        write_empty({"markerSchema"});
        json_.end_object();
    }

    void write_thread(const Tree& tree) {
        const auto stacks = estimated_stacks(graph_, tree, functions_);
        json_.begin_object();
        const auto& name = tree.measure.name;
        json_.key("callcost");  // before all other names: what their page has no field for
        json_.begin_object();
        json_.member("event", name);
        json_.member("estimated", !options_.recorded);
        json_.end_object();
        const auto doubt = std::string(estimated_profile_mark) + certainty_text(tree) + " certain)";
        json_.member("name", options_.recorded ? name : name + doubt);
        json_.member("processType", "default");
        json_.member("processName", options_.name);
        json_.member("isMainThread", threads_ == 0);
        json_.member("pid", "1");
        json_.member("tid", ++threads_);
        for (const auto* const zero : {"processStartupTime", "registerTime"}) json_.member(zero, 0);
        for (const auto* const end : {"processShutdownTime", "unregisterTime"}) {
            json_.key(end);
            json_.null();
        }
        write_empty({"pausedRanges"});
        write_samples(weight_type_of(tree.measure), stacks, add_stacks(tree, stacks));
        json_.key("markers");
        json_.begin_object();
        write_empty({"data", "name", "startTime", "endTime", "phase", "category"});
        json_.member("length", 0);
        json_.end_object();
        json_.end_object();
    }

    /// A row for each frame of the tree, and for each function that is below one; those of `stacks`.
    std::vector<std::size_t> add_stacks(const Tree& tree, const std::vector<EstimatedStack>& stacks) {
        const std::size_t first = callers_.size();
        for (const Frame& frame : tree.frames) {
            callers_.push_back(
                frame.parent == Frame::none ? none : static_cast<std::uint32_t>(first + frame.parent));
            called_.push_back(functions_.row_of(frame));
        }
        std::vector<std::size_t> rows;
        rows.reserve(stacks.size());
        for (const auto& stack : stacks) {
            rows.push_back(first + stack.frame);
            if (stack.below == none) continue;
            callers_.push_back(static_cast<std::uint32_t>(rows.back()));
            called_.push_back(stack.below);
            rows.back() = callers_.size() - 1;
        }
        return rows;
    }

    void write_samples(const WeightType& type, const std::vector<EstimatedStack>& stacks,
                       const std::vector<std::size_t>& rows) {
        const auto weight = [&](std::size_t sample) {
            const std::int64_t cost = stacks[sample].cost;
            return decimal_text(cost > INT64_MAX / type.factor ? INT64_MAX : cost * type.factor,
                                type.decimals);
        };
        json_.key("samples");
        json_.begin_object();
        json_.member("length", rows.size());
        json_.member("weightType", type.name);
        write_column("stack", rows.size(), [&](std::size_t sample) { json_.value(rows[sample]); });
        write_column("weight", rows.size(), [&](std::size_t sample) { json_.decimal(weight(sample)); });
        // A sample begins where the one before it ends.
        write_column("timeDeltas", rows.size(), [&](std::size_t sample) {
            json_.decimal(sample == 0 ? "0" : type.name == "tracing-ms" ? weight(sample - 1) : "1");
        });
        json_.end_object();
    }

    void number_names() {
        for (const auto& function : functions_.rows()) {
            names_of_functions_.push_back(strings_.row(function.name));
            sources_.push_back(row_in(of_sources_, files_, function.file));
            resources_.push_back(row_in(of_objects_, objects_, function.object));
        }
    }

    /// Of a table of names, each once; none without a name.
    std::uint32_t row_in(NameRows& rows, std::vector<std::uint32_t>& names, std::string_view name) {
        if (name.empty()) return none;
        const std::uint32_t row = rows.row(name) - 1;  // row 0 is without a name
        if (row == names.size()) names.push_back(strings_.row(name));
        return row;
    }

    void write_libs() {
        json_.key("libs");
        json_.begin_array();
        for (const std::uint32_t object : objects_) {
            json_.begin_object();
            for (const auto* const key : {"name", "path", "debugName", "debugPath"})
                json_.member(key, strings_[object]);
            for (const auto* const key : {"breakpadId", "arch"}) json_.member(key, "");
            json_.key("codeId");
            json_.null();
            json_.end_object();
            blocks_.end_row();
        }
        json_.end_array();
    }

    void write_shared() {
        json_.key("shared");
        json_.begin_object();
        write_table("stackTable", callers_.size(), [&](std::size_t size) {
            write_rows("prefix", callers_);
            write_column("frame", size, [&](std::size_t row) { json_.value(called_[row]); });
        });
        const std::size_t functions = functions_.rows().size();
        write_table("frameTable", functions, [&](std::size_t size) {
            write_same("address", size, [&] { json_.value(-1); });
            for (const auto* const key : {"inlineDepth", "category", "subcategory", "innerWindowID"})
                write_same(key, size, [&] { json_.value(0); });
            write_column("func", size, [&](std::size_t row) { json_.value(row); });
            for (const auto* const key : {"nativeSymbol", "line", "column"})
                write_same(key, size, [&] { json_.null(); });
        });
        write_table("funcTable", functions, [&](std::size_t size) {
            for (const auto* const key : {"isJS", "relevantForJS"})
                write_same(key, size, [&] { json_.value(false); });
            write_rows("name", names_of_functions_);
            write_rows("source", sources_);
            write_column("resource", size, [&](std::size_t row) {
                json_.value(resources_[row] == none ? std::int64_t{-1} : std::int64_t{resources_[row]});
            });
            for (const auto* const key : {"lineNumber", "columnNumber"})
                write_same(key, size, [&] { json_.null(); });
        });
        write_table("resourceTable", objects_.size(), [&](std::size_t size) {
            write_column("lib", size, [&](std::size_t row) { json_.value(row); });
            write_rows("name", objects_);
            write_same("host", size, [&] { json_.null(); });
            write_same("type", size, [&] { json_.value(1); });  // a library
        });
        write_table("nativeSymbols", 0, [&](std::size_t) {
            write_empty({"libIndex", "address", "name", "functionSize"});
        });
        write_table("sources", files_.size(), [&](std::size_t size) {
            write_same("id", size, [&] { json_.null(); });
            write_rows("filename", files_);
        });
        write_column("stringArray", strings_.size(), [&](std::size_t row) { json_.value(strings_[row]); });
        json_.end_object();
    }

    template <class Columns>
    void write_table(std::string_view name, std::size_t size, const Columns& columns) {
        json_.key(name);
        json_.begin_object();
        json_.member("length", size);
        columns(size);
        json_.end_object();
    }

    template <class Value>
    void write_column(std::string_view name, std::size_t size, const Value& value) {
        json_.key(name);
        json_.begin_array();
        for (std::size_t row = 0; row < size; ++row) {
            value(row);
            blocks_.end_row();
        }
        json_.end_array();
    }

    template <class Value>
    void write_same(std::string_view name, std::size_t size, const Value& value) {
        write_column(name, size, [&](std::size_t) { value(); });
    }

    void write_rows(std::string_view name, const std::vector<std::uint32_t>& rows) {
        write_column(name, rows.size(), [&](std::size_t row) {
            if (rows[row] == none) return json_.null();
            json_.value(rows[row]);
        });
    }

    void write_empty(std::initializer_list<std::string_view> names) {
        for (const std::string_view name : names) write_column(name, 0, [](std::size_t) {});
    }

    const CallGraph& graph_;
    StackOptions options_;
    FunctionTable functions_;
    TextBlocks blocks_;
    JsonWriter json_;
    std::int64_t threads_ = 0;
    std::vector<std::uint32_t> callers_, called_;  // by stack: a stack, or none; a function
    // By function: rows of strings_, files_ and objects_, which are rows of strings_; none: not known.
    std::vector<std::uint32_t> names_of_functions_, sources_, resources_;
    std::vector<std::uint32_t> files_, objects_;
    NameRows of_sources_, of_objects_, strings_;
};

}  // namespace

Result<void> write_firefox(const CallGraph& graph, const StackOptions& options, const Sink& sink) {
    return FirefoxWriter(graph, options, sink).write();
}

}  // namespace callcost::engine

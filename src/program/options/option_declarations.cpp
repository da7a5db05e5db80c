#include <fmt/format.h>

#include "options/option_reader.hpp"

namespace callcost::program {

CLI::Option* OptionReader::value(const std::string& names, const std::string& placeholder,
                                 std::string& target, const std::string& description) {
    return app_.add_option(names, target, description)
        ->type_name(placeholder)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->group(group_);
}

CLI::Option* OptionReader::values(const std::string& names, const std::string& placeholder,
                                  std::vector<std::string>& target, const std::string& description) {
    return app_.add_option(names, target, description)
        ->type_name(placeholder)
        ->allow_extra_args(false)
        ->group(group_);
}

void OptionReader::flag(const std::string& names, bool& target, const std::string& description) {
    app_.add_flag(names, target, description)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->group(group_);
}

/// An option whose value may be missing and therefore stands behind a '='. `names` carries what a missing one
/// means.
void OptionReader::flag_or_value(const std::string& names, const std::string& placeholder,
                                 std::string& target, const std::string& description) {
    app_.add_flag(names, target, description)
        ->type_name(placeholder)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->group(group_);
}

void OptionReader::declare_options() {
    app_.set_help_flag();
    app_.allow_extras();
    app_.add_option("files", options_.files)->group("");
    group_ = "Input";
    if (facts_.command == Command::check) return declare_check_options();
    if (makes_pages(facts_.command)) return declare_page_options();
    declare_input_options();
    if (writes_files(facts_.command)) return declare_file_options();
    if (is_comparison(facts_.command)) return declare_comparison_options();
    group_ = "Selection";
    if (facts_.command == Command::info) {
        value("-e,--event", "NAME", texts_.event, "show only this event type, or those of a formula");
        value("-n,--limit", "N", texts_.limit, "list N parts; 0: all parts and event types (default: 10)");
    } else if (facts_.command != Command::events) {
        declare_row_options();
    }
    if (facts_.command == Command::annotate) declare_annotate_options();
    if (facts_.command == Command::assembly) declare_assembly_options();
    group_ = "Output";
    declare_output_options();
}

void OptionReader::declare_input_options() {
    values("--part", "N,...", texts_.parts, "read only these parts (dumps)")->delimiter(',');
    values("--thread", "N,...", texts_.threads_of_profile, "read only these threads")->delimiter(',');
    values("--pid", "N,...", texts_.pids, "read only these processes")->delimiter(',');
    if (!makes_pages(facts_.command))  // the page asks
        value("--contexts", "keep|fold", texts_.contexts,
              "keep or fold: add the cost of contexts such as f'2 and f'caller to f (default: keep)");
    flag("--with-parts", options_.with_parts, "read the part files FILE.N and FILE-NN of FILE, too");
    flag_or_value("--strict{all}", "[=ID,...]", texts_.strict,
                  "treat warnings, or the named diagnostics, as fatal");
    value("--threads", "N", texts_.threads, "reader threads (default: all cores)");
}

void OptionReader::declare_check_options() {
    flag("--with-parts", options_.with_parts, "treat FILE and its part files FILE.N, FILE-NN as one profile");
    flag_or_value("--strict{all}", "[=ID,...]", texts_.strict,
                  "treat warnings, or the named diagnostics, as errors");
    value("--threads", "N", texts_.threads, "reader threads (default: all cores)");
    group_ = "Output";
    value("--format", "FORMAT", texts_.format, "text (default), json, csv, sarif or github");
    declare_output_options();
}

void OptionReader::declare_row_options() {
    value("-e,--event", "NAME", texts_.event,
          "measure by this event type or formula (default: first event type with a non-zero total)");
    if (facts_.command == Command::parts) {
        value("-n,--limit", "N", texts_.limit, "show N parts; 0: all (default: 50)");
        return;
    }
    if (facts_.command == Command::peek) {
        value("--sort", "KEY", texts_.sort, "sort functions by self, inclusive, called or name");
        value("-n,--limit", "N", texts_.limit,
              "show N functions, and N callers, callees and call sites of each; 0: all (default: 10)");
        return;
    }
    if (facts_.command == Command::assembly) {
        value("--show", "EVENT,...", texts_.show_events,
              "show these event types, in this order (default: that of --event)");
        value("--sort", "KEY", texts_.sort, "sort functions by self, inclusive, called or name");
        value("-n,--limit", "N", texts_.limit, "show N functions; 0: all (default: 10)");
        return;
    }
    if (facts_.command == Command::tree) return declare_tree_options();
    if (facts_.command == Command::lines) {
        declare_filters();
        value("-n,--limit", "N", texts_.limit, "show N rows; 0: all (default: 25)");
        value("--threshold", "P%", texts_.threshold, "omit rows below this share of the total");
        return;
    }
    declare_filters();
    const bool is_annotate = facts_.command == Command::annotate;
    value("--sort", "KEY", texts_.sort,
          is_annotate ? "sort by self, inclusive, called or name, or by an event type"
                      : "sort by self, inclusive, called or name");
    flag_or_value("--inclusive{yes}", "[=yes|no]", texts_.inclusive,
                  "yes or no: sort by inclusive cost, as --sort inclusive");
    if (facts_.command == Command::top) {
        value("-n,--limit", "N", texts_.limit, "show N rows; 0: all (default: 25)");
        value("--threshold", "P%", texts_.threshold, "omit rows below this share of the total");
        value("--group", "BY", texts_.group, "group by object, file, directory, namespace or cycle");
    } else {
        value("-n,--limit", "N", texts_.limit, "list at most N functions; 0: all");
        value("--threshold", "P%", texts_.threshold,
              "list functions and files that make up this share of the total (default: 99%)");
    }
}

void OptionReader::declare_tree_options() {
    flag("--inverted", options_.inverted, "list functions by self cost, with their callers below");
    values("--root", "PATTERN", texts_.root, "start at matching functions, with their inclusive cost");
    value("--depth", "N", texts_.depth, "show N levels; 0: all");
    value("-n,--limit", "N", texts_.limit,
          "show N functions, those on the most expensive paths; 0: a million (default: 60)");
    value("--threshold", "P%", texts_.threshold, "omit paths below this share of the total");
}

void OptionReader::declare_filters() {
    values("--focus", "PATTERN", texts_.focus, "keep only cost of matching functions and their callees");
    values("--ignore", "PATTERN", texts_.ignore, "drop cost of matching functions and their callees");
    if (facts_.command != Command::annotate)  // there it is callgrind_annotate's
        values("--show", "PATTERN", texts_.show, "list only matching functions");
    values("--hide", "PATTERN", texts_.hide, "do not list matching functions");
}

void OptionReader::declare_annotate_options() {
    value("--show", "EVENT,...", texts_.show_events,
          "show these event types, in this order (default: that of --event)");
    declare_source_options();
    value("--auto", "yes|no", texts_.annotate_all,
          "yes (default) or no: annotate only the source files named");
    value("--tree", "WHO", texts_.tree,
          "none (default), caller, calling or both: list the callers and callees of each function");
    value("--show-percs", "yes|no", texts_.percentages, "yes (default) or no: show percentages");
    value("--context", "N", texts_.context_lines, "show N lines around those with cost (default: 8)");
    value("--style", "STYLE", texts_.style,
          "callcost (default) or valgrind: use the options and layout of callgrind_annotate");
}

void OptionReader::declare_assembly_options() {
    flag("--intel", options_.code.intel, "use Intel syntax instead of AT&T syntax");
    flag("--hex", options_.code.bytes, "show the bytes of instructions");
    flag("--source", options_.code.sources, "show source lines between instructions");
    value("--context", "N", texts_.context_lines, "show N instructions around those with cost (default: 8)");
    declare_source_options();
    declare_disassembler_option();
}

void OptionReader::declare_source_options() {
    const bool are_programs_wanted = facts_.command == Command::assembly || facts_.command == Command::view;
    values("-I,--include", "DIR", options_.include_directories,
           are_programs_wanted ? "search this directory for source files, programs and libraries"
                               : "search this directory for source files");
    values("--source-map", "OLD=NEW", texts_.source_maps, "look for files recorded under OLD in NEW");
}

void OptionReader::declare_disassembler_option() {
    value("--objdump", "PROGRAM", options_.code.program,
          "use this disassembler (default: $OBJDUMP, or one that knows the processor)");
}

void OptionReader::declare_output_options() {
    flag("--json", options_.json, "write JSON: costs as integers, names as valid UTF-8");
    if (facts_.command != Command::info) {
        flag("--csv", options_.csv, "write CSV: all rows unless --limit is given, costs as integers");
    }
    flag("--raw", options_.raw, "never truncate names or group digits");
    flag_or_value("--color{always}", "[=WHEN]", texts_.color, "use colors: auto (default), always or never");
    if (facts_.command != Command::check && !is_comparison(facts_.command)) {
        flag_or_value("--hyperlink{always}", "[=WHEN]", texts_.hyperlink,
                      "link source lines: auto (default), always or never");
    }
    flag("--no-color", texts_.no_color, "same as --color=never");
    flag("--no-pager", texts_.no_pager, "do not use a pager");
    flag_or_value("--progress{always}", "[=WHEN]", texts_.progress,
                  "show progress: auto (default), always or never");
    flag("-q,--quiet", options_.quiet, "print errors only, no notes");
}

}  // namespace callcost::program

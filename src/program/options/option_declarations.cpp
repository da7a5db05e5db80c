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
    group_ = "What is read";
    if (facts_.command == Command::check) return declare_check_options();
    if (makes_pages(facts_.command)) return declare_page_options();
    declare_input_options();
    if (writes_files(facts_.command)) return declare_file_options();
    if (is_comparison(facts_.command)) return declare_comparison_options();
    group_ = "What is shown";
    if (facts_.command == Command::info) {
        value("-e,--event", "NAME", texts_.event, "only this event type, or those that a formula is about");
        value("-n,--limit", "N", texts_.limit,
              "parts to list; 0: all of them, and all event types (default 10)");
    } else if (facts_.command != Command::events) {
        declare_row_options();
    }
    if (facts_.command == Command::annotate) declare_annotate_options();
    if (facts_.command == Command::assembly) declare_assembly_options();
    group_ = "How it is shown";
    declare_output_options();
}

void OptionReader::declare_input_options() {
    values("--part", "N,...", texts_.parts, "only these parts (dumps), by their numbers")->delimiter(',');
    values("--thread", "N,...", texts_.threads_of_profile, "only these threads")->delimiter(',');
    values("--pid", "N,...", texts_.pids, "only these processes")->delimiter(',');
    if (!makes_pages(facts_.command))  // the page asks
        value("--contexts", "keep|fold", texts_.contexts,
              "fold: add f'2 and f'caller to f (Callgrind's --separate-...)");
    flag("--with-parts", options_.with_parts, "also the files FILE.N, FILE-NN that belong to FILE");
    flag_or_value("--strict{all}", "[=ID,...]", texts_.strict,
                  "warnings and errors, or the named diagnostics, are fatal");
    value("--threads", "N", texts_.threads, "threads to read with; 1: none besides the main one");
}

void OptionReader::declare_check_options() {
    flag("--with-parts", options_.with_parts, "FILE and the files FILE.N, FILE-NN are one profile");
    flag_or_value("--strict{all}", "[=ID,...]", texts_.strict,
                  "warnings, or the named diagnostics, are errors, too");
    value("--threads", "N", texts_.threads, "threads to read with; 1: none besides the main one");
    group_ = "How it is shown";
    value("--format", "FORMAT", texts_.format,
          "text, json, csv, sarif (SARIF 2.1.0) or github (workflow commands)");
    declare_output_options();
}

void OptionReader::declare_row_options() {
    value("-e,--event", "NAME", texts_.event,
          "event type or formula to measure by; without it the first whose total is not 0");
    if (facts_.command == Command::parts) {
        value("-n,--limit", "N", texts_.limit, "parts to show; 0: all of them (default 50)");
        return;
    }
    if (facts_.command == Command::peek) {
        value("--sort", "KEY", texts_.sort, "order of the functions: self, inclusive, called or name");
        value("-n,--limit", "N", texts_.limit,
              "functions, and callers, callees and call sites of each; 0: all of them (default 10)");
        return;
    }
    if (facts_.command == Command::assembly) {
        value("--show", "EVENT,...", texts_.show_events,
              "event types to show, in this order (default: that of --event)");
        value("--sort", "KEY", texts_.sort, "order of the functions: self, inclusive, called or name");
        value("-n,--limit", "N", texts_.limit, "functions to show; 0: all of them (default 10)");
        return;
    }
    if (facts_.command == Command::tree) return declare_tree_options();
    if (facts_.command == Command::lines) {
        declare_filters();
        value("-n,--limit", "N", texts_.limit, "rows to show; 0: all of them (default 25)");
        value("--threshold", "P%", texts_.threshold, "leave out rows below this share of the total");
        return;
    }
    declare_filters();
    const bool is_annotate = facts_.command == Command::annotate;
    value("--sort", "KEY", texts_.sort,
          is_annotate ? "self, inclusive, called or name, or an event type as for --event"
                      : "self, inclusive, called or name");
    flag_or_value("--inclusive{yes}", "[=yes|no]", texts_.inclusive,
                  "yes: sorted by inclusive cost, as by --sort inclusive");
    if (facts_.command == Command::top) {
        value("-n,--limit", "N", texts_.limit, "rows to show; 0: all of them (default 25)");
        value("--threshold", "P%", texts_.threshold, "leave out rows below this share of the total");
        value("--group", "BY", texts_.group, "add up by object, file, directory, namespace or cycle");
    } else {
        value("-n,--limit", "N", texts_.limit, "functions to list; 0: all of them");
        value("--threshold", "P%", texts_.threshold,
              "list functions and files until this share of the total is reached (default 99%)");
    }
}

void OptionReader::declare_tree_options() {
    flag("--inverted", options_.inverted, "functions by self cost, and below each who calls it");
    values("--root", "PATTERN", texts_.root,
           "begin at matching functions with their inclusive cost, whoever calls them");
    value("--depth", "N", texts_.depth, "levels to show; 0: all of them");
    value("-n,--limit", "N", texts_.limit,
          "functions to show, those on the heaviest paths; 0: a million (default 60)");
    value("--threshold", "P%", texts_.threshold, "leave out paths below this share of the total");
}

void OptionReader::declare_filters() {
    values("--focus", "PATTERN", texts_.focus, "only what is spent in matching functions and what they call");
    values("--ignore", "PATTERN", texts_.ignore, "nothing of what is spent there");
    if (facts_.command != Command::annotate)  // there it is callgrind_annotate's
        values("--show", "PATTERN", texts_.show, "list only matching functions");
    values("--hide", "PATTERN", texts_.hide, "do not list matching functions");
}

void OptionReader::declare_annotate_options() {
    value("--show", "EVENT,...", texts_.show_events,
          "event types to show, in this order (default: that of --event)");
    declare_source_options();
    value("--auto", "yes|no", texts_.annotate_all,
          "no: only the functions, and the source files that are named (default yes)");
    value("--tree", "WHO", texts_.tree,
          "none, caller, calling or both: who calls each function, and what it calls (default none)");
    value("--show-percs", "yes|no", texts_.percentages, "no: no percentages (default yes)");
    value("--context", "N", texts_.context_lines, "lines to show around those with cost (default 8)");
    value("--style", "STYLE", texts_.style,
          "callcost, or valgrind: the options and the layout of callgrind_annotate");
}

void OptionReader::declare_assembly_options() {
    flag("--intel", options_.code.intel, "Intel's syntax instead of AT&T's");
    flag("--hex", options_.code.bytes, "the bytes of the instructions, too");
    flag("--source", options_.code.sources, "source lines between the instructions");
    value("--context", "N", texts_.context_lines, "instructions to show around those with cost (default 8)");
    declare_source_options();
    declare_disassembler_option();
}

void OptionReader::declare_source_options() {
    const bool are_programs_wanted = facts_.command == Command::assembly || facts_.command == Command::view;
    values("-I,--include", "DIR", options_.include_directories,
           are_programs_wanted ? "look for source files, programs and libraries here, too"
                               : "look for source files here, too");
    values("--source-map", "OLD=NEW", texts_.source_maps, "look for files recorded as OLD/... in NEW/...");
}

void OptionReader::declare_disassembler_option() {
    value("--objdump", "PROGRAM", options_.code.program,
          "what disassembles (default: $OBJDUMP, or one that knows the processor)");
}

void OptionReader::declare_output_options() {
    flag("--json", options_.json, "for programs; costs are integers, names are valid UTF-8");
    if (facts_.command != Command::info) {
        flag("--csv", options_.csv, "for spreadsheets: all rows without --limit, costs are integers");
    }
    flag("--raw", options_.raw, "on a terminal, too: nothing shortened, no thousands separators");
    flag_or_value("--color{always}", "[=WHEN]", texts_.color, "auto, always or never");
    if (facts_.command != Command::check && !is_comparison(facts_.command)) {
        flag_or_value("--hyperlink{always}", "[=WHEN]", texts_.hyperlink,
                      "source lines as links: auto, always or never");
    }
    flag("--no-color", texts_.no_color, "the same as --color=never");
    flag("--no-pager", texts_.no_pager, "long texts, too, go straight to the terminal");
    flag_or_value("--progress{always}", "[=WHEN]", texts_.progress, "auto, always or never");
    flag("-q,--quiet", options_.quiet, "no notes on standard error, errors only");
}

/// Every option with its description; made from the declarations, so that none can be forgotten.
std::string OptionReader::help() const {
    std::string text = fmt::format("usage: {}\n\n{}\n", facts_.usage, facts_.summary);
    for (const auto* group : {"What is read", "What is the same", "What is asked", "What is shown",
                              "What is written", "How it is shown"}) {
        std::string rows;
        for (const auto* option : app_.get_options()) {
            if (option->get_group() != group) continue;
            std::string names;
            for (const auto& name : option->get_snames()) names += "-" + name + ", ";
            for (const auto& name : option->get_lnames()) names += "--" + name;
            const auto placeholder = option->get_type_name();
            const bool is_value = !placeholder.empty() && option->get_items_expected_max() > 0;
            if (is_value) names += " " + placeholder;
            if (!is_value && (placeholder.starts_with('=') || placeholder.starts_with('[')))
                names += placeholder;
            rows += fmt::format("  {:<22} {}\n", names, option->get_description());
        }
        if (!rows.empty()) text += fmt::format("\n{}:\n{}", group, rows);
    }
    return text;
}

}  // namespace callcost::program

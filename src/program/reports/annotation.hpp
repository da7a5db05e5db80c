/// Which source files are annotated, with what text and which lines, and where the rest of the cost is.
/// Values only: annotate.cpp makes text and JSON of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "loading/preparation.hpp"
#include "options/profile_options.hpp"
#include "reports/annotated_source.hpp"
#include "sources/source_files.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

/// The share of the total that the functions and files make up which are shown if no --threshold is given.
constexpr double default_coverage = 0.99;

struct AnnotatedFile {
    FileLines lines;  ///< costs by Annotation::measures
    SourceText text;
    bool is_newer = false;  ///< than the profile
};

struct MissingFile {
    FileId file;
    SourceProblem problem;
    Cost cost = 0;  ///< see Annotation::costs_are_located
};

/// Where the total is, by the measure asked for. The seven add up to it.
struct Accounting {
    CostInText in_texts;  ///< in the annotated files
    Cost system = 0;      ///< in Annotation::system
    Cost missing = 0;     ///< in files of which there is no text
    Cost unknown_file = 0;
    Cost omitted = 0;  ///< in files below the threshold, or that were not asked for
};

struct Annotation {
    LineMeasures measures;
    std::vector<AnnotatedFile> files;  ///< most expensive first
    std::vector<MissingFile> missing;  ///< most expensive first
    std::vector<FileCost> system;      ///< that are not annotated, as they are no part of the program
    std::size_t omitted_files = 0;
    std::uint64_t absolute = 0;  ///< of all files; the total where nothing is negative
    /// Costs of missing and system files are those located in them (F73). False if no text was found at all:
    /// then the cost lines were not even looked at, and they are the costs of the functions defined in them.
    bool costs_are_located = false;
    Accounting accounting;  ///< only if costs_are_located
};

struct AnnotationOptions {
    SourceSearchOptions sources;
    OutputOptions output;
    bool all_files = true;            ///< source files that are not named, too
    bool system_files = false;        ///< those of the system that are not named, too
    std::optional<double> threshold;  ///< until this share of the total is reached
};

/// In text what --columns says or the one asked for, for programs as machine_measures or table_measures.
[[nodiscard]] LineMeasures measures_to_show(const PreparedProfile& prepared, const OutputOptions& options);

/// No files and nothing located with --auto=no, unless files are named. What failed has been said on standard
/// error.
[[nodiscard]] tl::expected<Annotation, Exit> annotate(const PreparedProfile& prepared,
                                                      const AnnotationOptions& options,
                                                      const Console& console);

}  // namespace callcost::program

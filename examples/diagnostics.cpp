// Problems of a profile, in the manner of a compiler.
#include <iostream>

#include <callcost/error.hpp>
#include <callcost/file.hpp>
#include <callcost/read.hpp>

int main(int argc, char** argv) {
    const auto profile = callcost::read_profile(callcost::from_file(argc > 1 ? argv[1] : "callgrind.out"));
    if (!profile) {
        std::cerr << profile.error() << '\n';
        return 1;
    }

    bool is_sound = true;
    for (const auto& diagnostic : profile->diagnostics()) {
        const bool is_error = kind_of(diagnostic.id).severity == callcost::Severity::error;
        is_sound = is_sound && !is_error;
        const auto& places = diagnostic.places;  // at most the first ten
        std::cout << to_string(diagnostic, places.empty() ? "" : profile->sources()[places[0].source].name)
                  << '\n';
        for (const auto& place : places) std::cout << "    " << place.line << ": " << place.excerpt << '\n';
        if (!diagnostic.hint().empty()) std::cout << "    hint: " << diagnostic.hint() << '\n';
    }
    return is_sound ? 0 : 3;
}

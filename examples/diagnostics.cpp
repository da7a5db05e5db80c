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
        const auto& kind = callcost::kind_of(diagnostic.id);
        is_sound = is_sound && kind.severity != callcost::Severity::error;
        for (const auto& place : diagnostic.places)
            std::cout << profile->sources()[place.source].name << ':' << place.line << ':' << place.column
                      << ": " << to_string(kind.severity) << ": " << kind.message << " [" << kind.name
                      << "]\n"
                      << "    " << place.excerpt << '\n';
        if (diagnostic.count > diagnostic.places.size())
            std::cout << "    and " << diagnostic.count - diagnostic.places.size() << " more\n";
    }
    return is_sound ? 0 : 3;
}

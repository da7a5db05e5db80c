// What is odd about a profile, in the manner of a compiler.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <callcost/error.hpp>
#include <callcost/read.hpp>

int main(int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "callgrind.out";
    std::ifstream file(name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto profile = callcost::read_profile(callcost::from_memory(bytes, name));
    if (!profile) {
        const auto& error = profile.error();
        std::cerr << name << ':' << error.line << ": fatal: " << to_string(error.code) << '\n';
        return 1;
    }

    bool is_sound = true;
    for (const auto& diagnostic : profile->diagnostics()) {
        const auto& kind = callcost::kind_of(diagnostic.id);
        is_sound = is_sound && kind.severity != callcost::Severity::error;
        for (const auto& place : diagnostic.places)
            std::cout << profile->sources()[place.source].name << ':' << place.line << ':' << place.column
                      << ": " << to_string(kind.severity) << ": " << kind.name << " (" << kind.rule << ")\n"
                      << "    " << place.excerpt << '\n';
        if (diagnostic.count > diagnostic.places.size())
            std::cout << "    and " << diagnostic.count - diagnostic.places.size() << " more\n";
    }
    return is_sound ? 0 : 3;
}

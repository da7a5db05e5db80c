// Feeds files to a fuzz target once each: the seed corpus as a test, or one crash file under a debugger.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

// The files named, and all files under the folders named, in an order that does not depend on the disk.
std::vector<fs::path> inputs_of(const std::vector<fs::path>& arguments) {
    std::vector<fs::path> inputs;
    for (const fs::path& argument : arguments) {
        if (!fs::is_directory(argument)) {
            inputs.push_back(argument);
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(argument)) {
            if (entry.is_regular_file()) inputs.push_back(entry.path());
        }
    }
    std::sort(inputs.begin(), inputs.end());
    return inputs;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<fs::path> inputs = inputs_of({argv + 1, argv + argc});
    for (const fs::path& input : inputs) {
        std::fprintf(stderr, "%s\n", input.c_str());  // before the run: after a crash it is the last line
        std::ifstream file(input, std::ios::binary);
        const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
        const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
        if (!file) return 1;
        LLVMFuzzerTestOneInput(data.data(), data.size());
    }
    std::fprintf(stderr, "%zu inputs\n", inputs.size());
    return inputs.empty() ? 1 : 0;  // a seed corpus that went missing is a failure
}

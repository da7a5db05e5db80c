// RapidJSON's pass over a file with a handler that does nothing: what an importer of JSON cannot be faster
// than.
#include <array>
#include <cstdio>
#include <cstring>

#include <rapidjson/filereadstream.h>
#include <rapidjson/reader.h>

int main(int count, char** arguments) {
    const bool is_iterative = count == 3 && std::strcmp(arguments[2], "--iterative") == 0;
    if (count != 2 && !is_iterative) {
        std::fputs("usage: parse_json FILE [--iterative]\n", stderr);
        return 2;
    }
    std::FILE* const file = std::fopen(arguments[1], "rb");
    if (file == nullptr) {
        std::perror(arguments[1]);
        return 1;
    }
    static std::array<char, std::size_t{64} * 1024> block;
    rapidjson::FileReadStream stream(file, block.data(), block.size());
    rapidjson::BaseReaderHandler<> handler;
    rapidjson::Reader reader;
    const auto result = is_iterative ? reader.Parse<rapidjson::kParseIterativeFlag>(stream, handler)
                                     : reader.Parse<rapidjson::kParseDefaultFlags>(stream, handler);
    std::fclose(file);
    if (!result.IsError()) return 0;
    std::fprintf(stderr, "%s: no JSON from byte %zu on\n", arguments[1], result.Offset());
    return 1;
}

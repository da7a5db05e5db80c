// Object, file and function names under IDs. The IDs are sparse, as Callgrind also counts what never gets a
// cost; the first line with an ID has the name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output.hpp"
#include "program.hpp"

namespace generator {

class NameWriter {
  public:
    NameWriter(const Program& program, Output& out)
        : program_(program),
          out_(out),
          known_functions_(program.functions.size()),
          known_files_(program.files) {}

    // The key with `=(`.
    template <std::size_t Size>
    void function(const char (&key)[Size], uint32_t function) {
        Text text(out_);
        text << key << uint64_t{function} * 10 + (mix(function) & 7) + 2;
        if (begin_name(known_functions_, function)) program_.append_function_name(name_, function);
        text << name_ << "\n";
    }
    template <std::size_t Size>
    void file(const char (&key)[Size], uint32_t file) {
        Text text(out_);
        text << key << uint64_t{file} * 3 + 1;
        if (begin_name(known_files_, file)) program_.append_file_name(name_, file);
        text << name_ << "\n";
    }
    template <std::size_t Size>
    void object(const char (&key)[Size], uint32_t object) {
        Text text(out_);
        text << key << uint64_t{object} * 2 + 2;
        if (begin_name(known_objects_, object)) {
            name_.append("/usr/lib/x86_64-linux-gnu/lib").append(words[object]).append(".so.1");
        }
        text << name_ << "\n";
    }

  private:
    // True: the name is to follow, for the first time.
    bool begin_name(std::vector<bool>& known, uint32_t number) {
        const bool is_new = !known[number];
        known[number] = true;
        name_ = is_new ? ") " : ")";
        return is_new;
    }

    const Program& program_;
    Output& out_;
    std::vector<bool> known_functions_, known_files_;
    std::vector<bool> known_objects_ = std::vector<bool>(words.size());
    std::string name_;
};

}  // namespace generator

// expected: deleted function
#include <callcost/source.hpp>

const std::string text_of_a_file();

int main() {
#ifdef WRONG
    const auto source = callcost::from_memory(text_of_a_file());  // const: it cannot be moved from
#else
    const auto text = text_of_a_file();
    const auto source = callcost::from_memory(text);
#endif
    return source.size == 0;
}

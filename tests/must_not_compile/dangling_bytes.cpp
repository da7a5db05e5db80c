// expected: deleted function
#include <callcost/source.hpp>

struct Download {
    std::string bytes;
    operator std::string_view() const { return bytes; }
};
Download download();

int main() {
#ifdef WRONG
    const auto source = callcost::from_memory(download());
#else
    const auto source = callcost::from_memory(download().bytes);
#endif
    return source.size == 0;
}

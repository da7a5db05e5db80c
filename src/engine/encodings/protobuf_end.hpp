/// How the reading of a protocol buffer of unknown content ends: protozero throws at what is none.
#pragma once

#include <cstdint>

#include <protozero/exception.hpp>

#if defined(CALLCOST_PAGE_ATTEMPTS)
extern "C" int callcost_attempt(void (*run)(void*), void* context);
#endif

namespace callcost::engine {

enum class ProtobufEnd : std::uint8_t {
    whole,
    cut,      ///< a field goes on behind the bytes
    damaged,  ///< what is there is no field
};

/// Calls `read`, which may use protozero's readers.
template <class Read>
[[nodiscard]] ProtobufEnd protobuf_end(Read read) {
#if defined(CALLCOST_PAGE_ATTEMPTS)  // in the page JavaScript catches (wasm/importer.cpp): destructors are
                                     // left out
    return static_cast<ProtobufEnd>(
        callcost_attempt([](void* context) { (*static_cast<Read*>(context))(); }, &read));
#else
    try {
        read();
    } catch (const protozero::end_of_buffer_exception&) {
        return ProtobufEnd::cut;
    } catch (const protozero::exception&) {
        return ProtobufEnd::damaged;
    }
    return ProtobufEnd::whole;
#endif
}

}  // namespace callcost::engine

/// protozero throws, and clang's runtime for WebAssembly has no exceptions: JavaScript throws and catches
/// them. Destructors do not run in between, so memory is lost, which a module has for one file only.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <typeinfo>

#include <protozero/exception.hpp>

#include "encodings/protobuf_end.hpp"

#define IMPORT(name) extern "C" __attribute__((import_module("page"), import_name(#name)))

/// Does not come back: `page_attempt` that was called last does, with this number.
IMPORT(throw_out) __attribute__((noreturn)) void page_throw_out(std::int32_t number);
/// Calls `attempt` with both; 0 if that comes back.
IMPORT(attempt) std::int32_t page_attempt(void (*run)(void*), void* context);

extern "C" __attribute__((export_name("attempt"))) void attempt(void (*run)(void*), void* context) {
    run(context);
}

extern "C" int callcost_attempt(void (*run)(void*), void* context) { return page_attempt(run, context); }

// What clang calls for `throw`, by the ABI's names, which are reserved ones.
extern "C" void* allocate_exception(std::size_t size) __asm__("__cxa_allocate_exception");
extern "C" void* allocate_exception(std::size_t size) { return std::malloc(size); }

extern "C" __attribute__((noreturn)) void throw_exception(void* exception, const std::type_info* type,
                                                          void (*destroy)(void*)) __asm__("__cxa_throw");
extern "C" __attribute__((noreturn)) void throw_exception(void*, const std::type_info* type,
                                                          void (*)(void*)) {
    using callcost::engine::ProtobufEnd;
    const bool is_cut = *type == typeid(protozero::end_of_buffer_exception);
    page_throw_out(static_cast<std::int32_t>(is_cut ? ProtobufEnd::cut : ProtobufEnd::damaged));
}

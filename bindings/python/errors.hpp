/// Errors of the library as Python exceptions, and bytes of the library as Python text.
#pragma once

#include <exception>
#include <string_view>
#include <utility>

#include <pybind11/pybind11.h>

#include <callcost/error.hpp>

namespace callcost::python {

/// Carries an Error to where Python's exception is made of it: callcost.Error.
class Failure : public std::exception {
  public:
    explicit Failure(Error error) : error_(std::move(error)) {}
    [[nodiscard]] const Error& error() const { return error_; }

  private:
    Error error_;
};

/// The value, or a Failure.
template <class T>
T value_of(Result<T> result) {
    if (!result) throw Failure(std::move(result.error()));
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// Names may hold any bytes: what is not UTF-8 is read as Latin-1 (F2). Needs the GIL.
[[nodiscard]] pybind11::str text(std::string_view bytes);

/// Makes callcost.Error of a Failure, wherever one leaves this module.
void translate_failures();

}  // namespace callcost::python

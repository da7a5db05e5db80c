#include "python/errors.hpp"

#include <string>

namespace py = pybind11;

namespace callcost::python {

py::str text(std::string_view bytes) {
    const auto size = static_cast<Py_ssize_t>(bytes.size());
    auto* decoded = PyUnicode_DecodeUTF8(bytes.data(), size, "strict");
    if (decoded == nullptr && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError) != 0) {
        PyErr_Clear();
        decoded = PyUnicode_DecodeLatin1(bytes.data(), size, "strict");
    }
    if (decoded == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::str>(decoded);
}

void translate_failures() {
    // NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 wants it so
    py::register_exception_translator([](std::exception_ptr raised) {
        try {
            if (raised) std::rethrow_exception(raised);
        } catch (const Failure& failure) {
            const auto& error = failure.error();
            const auto hint =
                error.code == ErrorCode::not_a_profile && error.detail.empty()
                    ? "the package reads Callgrind's format: 'callcost convert FILE -o "
                      "FILE.callgrind' makes it of others, 'callcost info --formats' lists which"
                    : error.hint();
            const auto type = py::module_::import("callcost.errors").attr("Error");
            const auto exception =
                type(text(to_string(error)), text(to_string(error.code)), error.line, error.column,
                     error.offset, text(error.message()), text(error.source), text(hint));
            PyErr_SetObject(type.ptr(), exception.ptr());
        }
    });
}

}  // namespace callcost::python

/// The library's Writer for Python.
#pragma once

#include <pybind11/pybind11.h>

namespace callcost::python {

void define_file_writer(pybind11::module_& module);

}  // namespace callcost::python

"""Builds the extension module with CMake, as the project builds itself: `pip install --no-build-isolation .`"""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSION = re.search(r"^project\(callcost VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text(), re.M)[1]


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        build = pathlib.Path(self.build_temp).resolve()
        settings = ["BUILD_APP=OFF", "BUILD_TESTS=OFF", "INSTALL=OFF", "UNITE=ON", "BUILD_PYTHON=ON", f"PYTHON={sys.executable}"]
        subprocess.run(["cmake", "-S", PROJECT, "-B", build, *(f"-DCALLCOST_{setting}" for setting in settings)], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "callcost_python", "--parallel", str(os.cpu_count() or 1)], check=True)
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(next((build / "python/callcost").glob("_native*.so")), target)


setup(version=VERSION, ext_modules=[Extension("callcost._native", sources=[])], cmdclass={"build_ext": CMakeBuild})

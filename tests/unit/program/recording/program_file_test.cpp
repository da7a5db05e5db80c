#include "recording/program_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

std::string executable(const test::TemporaryDirectory& directory, std::string_view name,
                       std::string_view text, mode_t mode = 0755) {
    auto path = directory.write(name, text);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
}

TEST(ProgramFile, IsSearchedInPathUnlessItIsAPath) {
    EXPECT_EQ(inspect_program("sh").cannot_run, CannotRun::no);
    EXPECT_TRUE(inspect_program("sh").path.ends_with("/sh"));
    EXPECT_EQ(inspect_program("./sh").cannot_run, CannotRun::not_found);
    EXPECT_EQ(inspect_program("no-such-program").cannot_run, CannotRun::not_found);
    EXPECT_EQ(inspect_program("").cannot_run, CannotRun::not_found);
}

TEST(ProgramFile, MustBeExecutable) {
    const test::TemporaryDirectory directory;
    EXPECT_EQ(inspect_program(directory.path()).cannot_run, CannotRun::not_executable);
    EXPECT_EQ(inspect_program(executable(directory, "a", "x", 0644)).cannot_run, CannotRun::not_executable);
}

TEST(ProgramFile, MustNotHaveMoreRightsThanItsUser) {
    const test::TemporaryDirectory directory;
    EXPECT_EQ(inspect_program(executable(directory, "a", "x", 04755)).cannot_run, CannotRun::privileged);
    EXPECT_EQ(inspect_program(executable(directory, "b", "x", 02755)).cannot_run, CannotRun::privileged);
}

TEST(ProgramFile, OfAScriptNamesTheInterpreter) {
    const test::TemporaryDirectory directory;
    const auto shell = inspect_program(executable(directory, "a", "#!/bin/sh\nexit\n"));
    EXPECT_EQ(shell.cannot_run, CannotRun::no);
    EXPECT_TRUE(shell.is_script);
    EXPECT_EQ(shell.interpreter, "sh");
    EXPECT_EQ(shell.kind, InterpreterKind::shell);
    const auto other = inspect_program(executable(directory, "b", "#! /usr/bin/env own-language\n"));
    EXPECT_EQ(other.interpreter, "own-language");
    EXPECT_EQ(other.kind, InterpreterKind::language);
    EXPECT_EQ(inspect_program(executable(directory, "c", "#!/no/such\n")).cannot_run,
              CannotRun::no_interpreter);
    const auto without_line = inspect_program(executable(directory, "d", "exit\n"));
    EXPECT_EQ(without_line.interpreter, "sh");
    EXPECT_TRUE(without_line.is_script);
}

TEST(ProgramFile, IsAnInterpreterByItsName) {
    const auto shell = inspect_program("sh");
    EXPECT_EQ(shell.kind, InterpreterKind::shell);
    EXPECT_FALSE(shell.is_script);
    EXPECT_EQ(shell.interpreter, "sh");
}

TEST(ProgramFile, OfAProgramWithLinesHasThem) {
    const auto own = inspect_program("/proc/self/exe");  // whoever builds tests, builds them with -g or not
    EXPECT_EQ(own.cannot_run, CannotRun::no);
    EXPECT_EQ(own.kind, InterpreterKind::none);
    EXPECT_TRUE(own.has_symbols);
    EXPECT_FALSE(own.is_static);
}

TEST(InterpreterOfLine, IsTheLastNameOfItsPathOrWhatEnvStarts) {
    EXPECT_EQ(interpreter_of_line("#!/bin/sh"), "sh");
    EXPECT_EQ(interpreter_of_line("#! /usr/bin/perl -w\r"), "perl");
    EXPECT_EQ(interpreter_of_line("#!/usr/bin/env python3"), "python3");
    EXPECT_EQ(interpreter_of_line("#!/usr/bin/env -S A=1 /opt/python3 -u"), "python3");
    EXPECT_EQ(interpreter_of_line("#!/usr/bin/env"), "env");
    EXPECT_EQ(interpreter_of_line("#!"), "");
    EXPECT_EQ(interpreter_of_line("#! \t"), "");
    EXPECT_EQ(interpreter_of_line("exit"), "");
}

TEST(KindOfInterpreter, IgnoresVersions) {
    EXPECT_EQ(kind_of_interpreter("python3.11"), InterpreterKind::language);
    EXPECT_EQ(kind_of_interpreter("lua5.4"), InterpreterKind::language);
    EXPECT_EQ(kind_of_interpreter("bash-5"), InterpreterKind::shell);
    EXPECT_EQ(kind_of_interpreter("pythonic"), InterpreterKind::none);
    EXPECT_EQ(kind_of_interpreter("7.2"), InterpreterKind::none);
    EXPECT_EQ(kind_of_interpreter(""), InterpreterKind::none);
}

}  // namespace
}  // namespace callcost::program

#include "summary/summary.hpp"

#include <string>

#include <gtest/gtest.h>

#include "callcost/file.hpp"
#include "callcost/read.hpp"

namespace callcost::engine {
namespace {

CallGraph graph_of_file(const std::string& name) {
    auto profile = read_profile(from_file(std::string(CALLCOST_TEST_PROFILES "/") + name));
    EXPECT_TRUE(profile.has_value()) << name;
    auto graph = call_graph(*profile);
    EXPECT_TRUE(graph.has_value()) << name;
    return *graph;
}
CallGraph graph_of_text(const std::string& text) {
    auto profile = read_profile(from_memory("events: Ir\n" + text, "test"));
    EXPECT_TRUE(profile.has_value());
    return *call_graph(*profile);
}

std::string summary_of(const CallGraph& graph) {
    const auto measure = default_measure(graph);
    return to_text(summarize(graph, measure), percentage_base(graph, measure), {});
}
std::string of_file(const std::string& name) { return summary_of(graph_of_file(name)); }

struct RealProfile {
    const char *file, *summary;
};
const RealProfile profiles[] = {
    {"callgrind/default.out",
     "Threads cost 10.94%, nearly all of it in worker(int, long*) (10.70%), spread over many callees.\n"
     "main costs only 2.06%.\n"
     "Most expensive by themselves: _dl_lookup_symbol_x 32.39%, do_lookup_x 24.32%, _dl_relocate_object "
     "18.50%.\n"
     "Spent in dynamic linking 87.78%; in small itself 6.09%.\n"},
    {"callgrind/stl-O2-instr-jumps.out",
     "main costs 65.18%: exercise<...>(...) 17.47%, "
     "std::__detail::_Compiler<...>::_Compiler(...) 16.38%, "
     "exercise<int>(...) 10.43%.\n"
     "Most expensive by itself: _dl_lookup_symbol_x 12.81%.\n"
     "Spent in dynamic linking 34.72%, memory allocation 19.06%, the C++ library 14.67%, the C library "
     "6.43%; in stl_O2 "
     "itself 25.10%.\n"
     "14.98% is in code without debug information: compile it with -g for source lines.\n"},
    {"callgrind/python-instr-jumps.out",
     "main costs 99.09%, nearly all of it in Py_BytesMain: Py_RunMain 54.64%, pymain_init 44.45%.\n"
     "No function stands out by itself: the most expensive one, unicodekeys_lookup_unicode, has 5.19%; half "
     "of the cost is in 18 functions.\n"
     "Spent in libpython3.11.so.1.0 89.11%.\n"},
    {"callgrind/toggle-collect.out",
     "main costs 100.00%, nearly all of it in leaf(long) itself (93.90%).\n"
     "Most expensive by itself: leaf(long) 93.90%.\n"},
    {"callgrind/stripped.out",
     "0x0000000000002400 (looks like main) costs 14.46%: 0x00000000000045e0 6.92%.\n"
     "Most expensive by themselves: _dl_lookup_symbol_x 31.76%, do_lookup_x 23.82%, _dl_relocate_object "
     "18.19%.\n"
     "Spent in dynamic linking 86.06%; in prog_nodbg itself 8.01%.\n"},
    {"callgrind/every-bb.out.1",
     "_dl_start costs 100.00%, nearly all of it in _dl_relocate_object (95.12%): _dl_lookup_symbol_x 73.39%, "
     "its own code 21.67%.\n"
     "Most expensive by themselves: _dl_lookup_symbol_x 37.35%, do_lookup_x 26.75%, _dl_relocate_object "
     "21.67%.\n"
     "Spent in dynamic linking 99.94%.\n"},
    {"callgrind/names-latin1-utf8-long.out",
     "main costs 14.46%: worker(int) 6.92%.\n"
     "Most expensive by themselves: _dl_lookup_symbol_x 31.76%, do_lookup_x 23.82%, _dl_relocate_object "
     "18.19%.\n"
     "Spent in dynamic linking 86.05%; in prog_O2 itself 8.01%.\n"},
    {"callgrind/threads-separate.out-02",
     "Threads cost 100.00%, nearly all of it in worker(int, long*) (98.04%): its own code 39.29%, "
     "__memcmp_avx2_movbe "
     "21.80%, std::__cxx11::basic_string<...>::_M_replace(...) 14.59%.\n"
     "Most expensive by themselves: worker(int, long*) 39.29%, __memcmp_avx2_movbe 22.56%, "
     "std::__cxx11::basic_string<...>::_M_replace(...) 13.23%.\n"
     "Spent in the C library 29.45%, the C++ library 19.28%, memory allocation 5.23%; in small itself "
     "46.03%.\n"
     "19.60% is in code without debug information: compile it with -g for source lines.\n"},
    {"callgrind/nothing-collected.out", ""},
    {"cachegrind/default.out",
     "Most expensive by themselves: _dl_lookup_symbol_x 23.94%, do_lookup_x 23.48%.\n"},
    {"cachegrind/diff.out", ""},
    {"xdebug/plain.cachegrind.out",
     "{main} costs 99.97%: require_once::/home/user/src/php/lib.php 42.03%, php::usleep 21.64%, mem 15.49%.\n"
     "Most expensive by themselves: require_once::/home/user/src/php/lib.php 42.03%, php::usleep 21.64%.\n"
     "Spent in built-in functions 39.73%.\n"},
    {"xdebug/killed.cachegrind.out",
     "mem costs 70.82%: php::usort 48.12%, its own code 15.81%, php::array_map 6.84%.\n"
     "Most expensive by themselves: php::usort 43.05%, App\\Model\\fibo 18.43%, mem 15.81%.\n"
     "Spent in built-in functions 51.35%.\n"},
    {"go-pprof/cpu.callgrind",
     "main.main.func1 costs 92.00%, nearly all of it in main.work: runtime.mapassign_faststr 32.00%, "
     "sort.Sort 18.00%, fmt.Sprint 12.00%.\n"
     "Most expensive by themselves: runtime.mallocgc 14.00%, runtime.mapassign_faststr 12.00%, "
     "runtime.evacuate_faststr 10.00%.\n"},
    {"go-pprof/cpu-diff-negative.callgrind", ""},
    {"breezy/callgrind.out.brz",
     "Inclusive costs are above the total in this profile, so they say little.\n"
     "Most expensive by themselves: <built-in method marshal.loads> 27.27%, <built-in method posix.stat> "
     "13.64%.\n"
     "Spent in built-in functions 59.09%.\n"},
    {"ruby-prof/memory-1.callgrind",
     "RubyProf/Cmd::run costs 100.03%, nearly all of it in Kernel::require, which is in cycle 4: 2 functions "
     "that call each other, 92.15%; in it Kernel::gem_original_require 58.80%, JSON::generator=^ 29.82%.\n"
     "Most expensive by themselves: Kernel::gem_original_require 58.80%, Symbol::to_s 14.22%, Array::each "
     "14.04%.\n"},
    {"stackprof/cpu.callgrind",
     "<main> costs 100.00%, nearly all of it in block (2 levels) in <main> (90.00%): Object#été 80.00%, "
     "Range#to_a 10.00%.\n"},
    {"nytprof/plain.callgrind",
     "main::NULL costs 93.79%: main::BEGIN@4.4 30.59%, main::BEGIN@4.3 17.20%, main::BEGIN@4.5 16.39%.\n"
     "Most expensive by themselves: Data::Dumper::BEGIN@22 20.99%, main::BEGIN@4.5 13.84%, main::BEGIN@1.2 "
     "12.97%.\n"},
    {"lua-callgrind/lua5.1.callgrind",
     "function: 0x5579a19f8fa0 costs 100.34%, nearly all of it in function: 0x5579a1a04340 (100.02%): "
     "table.sort 71.96%, [fib] function: 0x5579a1a03af0 15.10%, its own code 12.95%.\n"
     "Most expensive by themselves: function: 0x5579a19fa8a0 72.06%, [fib] function: 0x5579a1a03af0 14.98%, "
     "function: 0x5579a1a04340 12.95%.\n"},
    {"perfgrind/callgraph-source-instr.grind",
     "main costs 98.06%: sorter(std::vector<int, std::allocator<int> >&) 41.94%, func_7f5a4917004d 29.03%, "
     "strings() "
     "18.06%.\n"
     "Most expensive by themselves: std::__introsort_loop<...>(...) 41.94%, func_7f5a4917004d 29.68%, "
     "strings() 18.06%.\n"
     "Spent in workfp 69.68%, the C library 30.32%.\n"},
    {"erlang/eep.callgrind",
     "code_server:handle_call/3 costs 76.32%, nearly all of it in code_server:load_file_1/3 (76.00%): "
     "code_server:get_object_code/2 59.71%, code_server:try_load_module_1/5 16.17%.\n"
     "Most expensive by itself: erl_prim_loader:is_basename/1 56.17%.\n"},
    {"remake/process-1.callgrind", ""},
    {"yappi/cpu.callgrind",
     "run_path <frozen runpy>:262 costs 97.84%: _run_module_code <frozen runpy>:91 57.20%, _find_and_load "
     "<frozen importlib._bootstrap>:1167 36.50%.\n"
     "Most expensive by itself: fib p.py:8 10.92%.\n"
     "Spent in built-in functions 8.11%.\n"},
    {"valgrind-xtree/leak.kcg",
     "main costs 100.00%, all of it in malloc itself.\n"
     "Most expensive by itself: malloc 100.00%.\n"
     "Spent in memory allocation 100.00%.\n"},
    {"pyprof2calltree/cprofile.callgrind",
     "<built-in method builtins.exec> is in cycle 1: 22 functions that call each other, 78.45%; in it "
     "get_code "
     "28.97%, find_spec:1496 25.38%.\n"
     "Most expensive by themselves: <method 'read' of '_io.BufferedReader' objects> 23.39%, <built-in method "
     "posix.stat> 22.49%, current_thread 19.09%.\n"
     "Spent in built-in functions 62.58%.\n"},
    {"gdb-callgrind/top.callgrind",
     "main costs 100.00%, nearly all of it in top: rec 75.24%, leaf 20.69%.\n"
     "Most expensive by themselves: leaf 48.28%, rec 30.09%, sq 17.55%.\n"},
};

class RealSummary : public testing::TestWithParam<RealProfile> {};

TEST_P(RealSummary, says_where_the_cost_is) { EXPECT_EQ(of_file(GetParam().file), GetParam().summary); }
INSTANTIATE_TEST_SUITE_P(Profiles, RealSummary, testing::ValuesIn(profiles));

TEST(Summary, follows_main_to_where_its_cost_is_split) {
    EXPECT_EQ(summary_of(graph_of_text(
                  "fn=main\n1 1\ncfn=run\ncalls=1 1\n1 100\nfn=run\n1 2\ncfn=sort\ncalls=1 1\n1 60\n"
                  "cfn=read\ncalls=1 1\n1 38\nfn=sort\n1 60\nfn=read\n1 38\n")),
              "main costs 100.00%, nearly all of it in run (99.01%): sort 59.41%, read 37.62%.\n"
              "Most expensive by themselves: sort 59.41%, read 37.62%.\n");
}

TEST(Summary, begins_where_cost_enters) {
    EXPECT_EQ(summary_of(graph_of_text("fn=<module>\n1 60\ncfn=run\ncalls=1 1\n1 40\nfn=run\n1 33\ncfn=main\n"
                                       "calls=9 1\n1 7\nfn=main\n1 7\n")),
              "<module> costs 100.00%: its own code 60.00%, run 40.00%.\n"
              "Most expensive by themselves: <module> 60.00%, run 33.00%.\n")
        << "a coroutine that is called main";
    EXPECT_EQ(summary_of(graph_of_text("fn=(below main)\n1 30\ncfn=main\ncalls=1 1\n1 70\nfn=main\n1 70\n")),
              "main costs 70.00%, all of it in its own code.\n"
              "Most expensive by themselves: main 70.00%, (below main) 30.00%.\n");
    EXPECT_EQ(summary_of(graph_of_text("fn=main.main\n1 10\nfn=handler\n1 90\n"
                                       "fn=main.main\ncfn=idle\ncalls=1 1\n1 0\nfn=idle\n1 0\n")),
              "handler costs 90.00%, all of it in its own code.\n"
              "main.main costs 10.00%, all of it in its own code.\n"
              "Most expensive by themselves: handler 90.00%, main.main 10.00%.\n");
}

TEST(Summary, names_apart_when_no_function_ran) {
    EXPECT_EQ(
        summary_of(graph_of_text("fn=(idle)\n1 90\nfn=serve\n1 2\ncfn=parse\ncalls=1 1\n1 5\nfn=parse\n1 5\n"
                                 "fn=(program)\n1 3\n")),
        "Outside of functions: (idle) 90.00%.\n"
        "serve costs 7.00%: parse 5.00%.\n"
        "No function stands out by itself: the most expensive one, parse, has 5.00%; half of the rest is in "
        "1 "
        "function.\n");
    const auto of_root = [](const std::string& idle, const std::string& main) {
        return summary_of(graph_of_text("fn=(root)\n1 1\ncfn=(idle)\ncalls=1 1\n1 " + idle +
                                        "\ncfn=main\ncalls=1 1\n1 " + main + "\nfn=(idle)\n1 " + idle +
                                        "\nfn=main\n1 " + main + "\n"));
    };
    EXPECT_EQ(of_root("59", "40"),
              "Outside of functions: (idle) 59.00%.\n"
              "(root) costs 100.00%: main 40.00%.\n"
              "Most expensive by itself: main 40.00%.\n")
        << "where the root of all is a function";
    EXPECT_EQ(
        of_root("96", "3"),
        "Outside of functions: (idle) 96.00%.\n"
        "(root) costs 100.00%.\n"
        "No function stands out by itself: the most expensive one, main, has 3.00%; half of the rest is in "
        "1 function.\n");
}

TEST(Summary, says_what_threads_do) {
    EXPECT_EQ(
        summary_of(graph_of_text(
            "fn=main\n1 12\nfn=clone\n1 1\ncfn=start_thread\ncalls=3 1\n1 68\nfn=start_thread\n1 1\ncfn="
            "worker\ncalls=3 1\n1 67\nfn=worker\n1 3\ncfn=blur\ncalls=30 1\n1 64\nfn=blur\n1 64\nfn=other\n1 "
            "19\n")),
        "Threads cost 69.00%, nearly all of it in worker (67.00%): blur 64.00%.\n"
        "other costs 19.00%, all of it in its own code.\n"
        "main costs 12.00%, all of it in its own code.\n"
        "Most expensive by themselves: blur 64.00%, other 19.00%, main 12.00%.\n");
    EXPECT_EQ(summary_of(graph_of_text(
                  "thread: 1\nfn=main\n1 40\ncfn=f\ncalls=1 1\n1 0\nfn=f\n1 0\nthread: 2\nfn=play\n1 60\n")),
              "Threads cost 60.00%.\nplay costs 60.00%, all of it in its own code.\n"
              "main costs 40.00%, all of it in its own code.\n"
              "Most expensive by themselves: play 60.00%, main 40.00%.\n");
}

TEST(Summary, asks_for_debug_information_only_where_an_object_has_none) {
    const std::string calls = "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\nevents: Ir\n";
    const auto missing = [&](const std::string& text) {
        auto profile = read_profile(from_memory(calls + text, "test"));
        return summary_of(*call_graph(*profile));
    };
    EXPECT_EQ(missing("ob=/a/prog\nfl=a.c\nfn=main\n1 40\nfl=???\nfn=memcpy_asm\n0 60\n").find("-g"),
              std::string::npos);
    EXPECT_NE(missing("ob=/a/prog\nfl=a.c\nfn=main\n1 40\nob=/a/lib.so\nfl=???\nfn=f\n0 60\n")
                  .find("60.00% is in code without debug information: compile it with -g"),
              std::string::npos);
}

TEST(Summary, knows_methods_of_built_in_classes_of_python) {
    EXPECT_NE(summary_of(graph_of_text("fn=f\n1 40\nfn=<method 'append' of 'list' objects>\n1 60\n"))
                  .find("Spent in built-in functions 60.00%."),
              std::string::npos);
}

TEST(Summary, says_which_cycle_hides_the_answer) {
    EXPECT_EQ(summary_of(graph_of_text(
                  "fn=main\ncfn=eval\ncalls=1 1\n1 100\nfn=eval\n1 40\ncfn=apply\ncalls=9 1\n1 90\n"
                  "fn=apply\n1 50\ncfn=eval\ncalls=8 1\n1 80\ncfn=hash\ncalls=1 1\n1 10\nfn=hash\n1 10\n")),
              "main costs 100.00%, nearly all of it in eval, which is in cycle 1: 2 functions that call each "
              "other, 100.00%; "
              "in it apply 50.00%, eval 40.00%, hash 10.00%.\n"
              "Most expensive by themselves: apply 50.00%, eval 40.00%, hash 10.00%.\n");
}

TEST(Summary, names_the_libraries_that_the_cost_is_in) {
    EXPECT_EQ(
        summary_of(graph_of_text(
            "cmd: ./app x\nob=/usr/bin/app\nfn=main\n1 5\ncob=/lib/libsql.so.0\ncfn=run\ncalls=1 1\n1 95\n"
            "ob=/lib/libsql.so.0\nfn=run\n1 70\ncob=/lib/libz.so.1\ncfn=z\ncalls=1 1\n1 9\n"
            "cob=/lib/libc.so.6\ncfn=read\ncalls=1 1\n1 16\n"
            "ob=/lib/libz.so.1\nfn=z\n1 9\nob=/lib/libc.so.6\nfn=read\n1 16\n")),
        "main costs 100.00%, nearly all of it in run (95.00%): its own code 70.00%, read 16.00%, z 9.00%.\n"
        "Most expensive by themselves: run 70.00%, read 16.00%.\n"
        "Spent in libsql.so.0 70.00%, the C library 16.00%; in app itself 5.00%.\n")
        << "libz has less than 10%";
}

TEST(Summary, links_its_functions_and_cycles) {
    const auto graph = graph_of_text("fn=main\n1 5\ncfn=f\ncalls=1 1\n1 95\nfn=f\n1 95\n");
    const auto sentences = summarize(graph, default_measure(graph));
    ASSERT_EQ(sentences.size(), 2U);
    EXPECT_EQ(sentences[0][0].kind, SummaryPiece::Kind::function);
    EXPECT_EQ(graph.name(sentences[0][0].function), "main");
    EXPECT_EQ(graph.name(sentences[0][4].function), "f");
}

TEST(Summary, does_not_follow_a_chain_that_comes_back_to_itself) {
    EXPECT_NE(summary_of(graph_of_text("fn=main\n1 1\ncfn=main\ncalls=5 1\n1 5\n")), "");
}

}  // namespace
}  // namespace callcost::engine

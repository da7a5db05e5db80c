/// @file callcost.h
/// callcost for C (C99), and for languages that can call C: reads, walks over and writes profiles. A thin
/// layer over the C++ headers, which say more about each thing.
///
///  - The library opens no file and prints nothing: bytes come from memory or from a callback, and go to one.
///  - Handles (`callcost_profile*` and so on) are opened and closed by the program; closing NULL is fine.
///    Nothing else needs to be freed. Text and costs that a function returns belong to the handle and are
///    valid until it is closed, or, where stated, until the next step.
///  - Functions, arcs, events and diagnostics are rows, counted from 0. A missing row is not an error:
///    text is empty, numbers are 0, and functions that fill a struct return 0.
///  - Costs are 64-bit integers in the unit of their event, and sums wrap. Lines count from 1; 0 is unknown.
///  - Errors are values: a function that may fail takes a `callcost_error*`, which may be NULL, and sets it
///    in any case. No exception leaves the library; running out of memory is an error like others.
///  - A handle may be used by one thread at a time, a profile by many. It must not be NULL except for
///    closing.
///
/// Link with the C++ compiler, or add `-lstdc++`: the library is in C++.
#ifndef CALLCOST_CALLCOST_H
#define CALLCOST_CALLCOST_H

#include <stddef.h>
#include <stdint.h>

/// Version of this interface: it changes when programs have to be recompiled.
#define CALLCOST_C_VERSION 1

#if defined(__GNUC__)
#define CALLCOST_C_API __attribute__((visibility("default")))
#else
#define CALLCOST_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

CALLCOST_C_API int callcost_c_version(void);        ///< CALLCOST_C_VERSION of the library
CALLCOST_C_API const char* callcost_version(void);  ///< of the library, such as "0.1.0"

/// Bytes as in the file: any bytes, no 0 at the end. Print them with `"%.*s", (int)text.size, text.data`.
typedef struct callcost_text {
    const char* data;  ///< never NULL
    size_t size;
} callcost_text;

/// The numbers never change. Up to CALLCOST_NOTHING_SELECTED as callcost::ErrorCode.
typedef enum callcost_code {
    CALLCOST_OK = 0,
    CALLCOST_EMPTY_FILE = 1,
    CALLCOST_NOT_A_PROFILE = 2,
    CALLCOST_NO_EVENTS = 3,
    CALLCOST_CANNOT_OPEN = 4,
    CALLCOST_READ_FAILED = 5,  ///< the read callback failed before the first byte
    CALLCOST_TRUNCATED_COMPRESSION = 6,
    CALLCOST_CANCELLED = 7,
    CALLCOST_TOO_LARGE = 8,
    CALLCOST_NEEDS_DETAIL = 9,
    CALLCOST_BAD_FORMULA = 10,
    CALLCOST_FORMULA_CYCLE = 11,
    CALLCOST_BAD_ARGUMENT = 12,  ///< misuse; the message says what is wrong
    CALLCOST_UNKNOWN_EVENT = 13,
    CALLCOST_NOTHING_SELECTED = 14,
    CALLCOST_WRITE_FAILED = 100,
    CALLCOST_OUT_OF_MEMORY = 101,
    CALLCOST_FAILED = 102  ///< an exception of another kind, from a callback
} callcost_code;

typedef struct callcost_error {
    callcost_code code;
    uint64_t line, column;  ///< of the input, from 1; 0 = no place
    char message[256];      ///< a phrase for people: ends with 0; cut where too long; no control characters
} callcost_error;

/* -- Reading ----------------------------------------------------------------------------------------------
 */

typedef struct callcost_profile callcost_profile;

/// Returned by a callcost_read on failure. The bytes before are kept; a diagnostic says so.
#define CALLCOST_READ_ERROR SIZE_MAX

/// Fills the front of the buffer and returns how many bytes, 0 at the end.
typedef size_t (*callcost_read)(void* context, char* buffer, size_t size);

/// The profile in these bytes, which are not needed after the call; NULL on an error. `name` is the file's
/// name in diagnostics; it may be NULL.
CALLCOST_C_API callcost_profile* callcost_open_memory(const char* bytes, size_t size, const char* name,
                                                      callcost_error* error);
/// The same from a callback, which is handed `context`.
CALLCOST_C_API callcost_profile* callcost_open(callcost_read read, void* context, const char* name,
                                               callcost_error* error);
/// All 0 is the default.
typedef struct callcost_read_options {
    uint64_t longest_line;  ///< bytes, from 4096 to 2^31; a longer line is cut. 0: 16,000,000
} callcost_read_options;

/// The same as callcost_open; `options` may be NULL.
CALLCOST_C_API callcost_profile* callcost_open_with(callcost_read read, void* context, const char* name,
                                                    const callcost_read_options* options,
                                                    callcost_error* error);
CALLCOST_C_API void callcost_close(callcost_profile* profile);

/// A cost column of the file.
typedef struct callcost_event {
    callcost_text name;       ///< "Ir"
    callcost_text long_name;  ///< empty: unknown
    callcost_text unit;       ///< "ns", "bytes"; empty: a plain count
    int additive;             ///< 0: a maximum, a ratio or the like: no totals, no inclusive cost
} callcost_event;

CALLCOST_C_API size_t callcost_event_count(const callcost_profile* profile);
CALLCOST_C_API int callcost_event_at(const callcost_profile* profile, size_t event, callcost_event* out);
/// The sum of all self costs.
CALLCOST_C_API int64_t callcost_total(const callcost_profile* profile, size_t event);

typedef struct callcost_function {
    callcost_text name, file, object;  ///< "???" where unknown
    uint64_t called;                   ///< by all callers, recursive calls too
    int called_at_least;               ///< 1: further calls were not counted
} callcost_function;

CALLCOST_C_API size_t callcost_function_count(const callcost_profile* profile);
CALLCOST_C_API int callcost_function_at(const callcost_profile* profile, size_t function,
                                        callcost_function* out);
CALLCOST_C_API int64_t callcost_self(const callcost_profile* profile, size_t function, size_t event);
/// What was spent while the function was on the stack, each event once. Where recursion overlaps and the
/// profile does not tell by how much, an estimate.
CALLCOST_C_API int64_t callcost_inclusive(const callcost_profile* profile, size_t function, size_t event);
/// Its bounds; returns 1 if it is exact, and both are equal.
CALLCOST_C_API int callcost_inclusive_bounds(const callcost_profile* profile, size_t function, size_t event,
                                             int64_t* least, int64_t* most);

/// All calls from one function to another.
typedef struct callcost_arc {
    size_t caller, callee;  ///< rows of functions
    uint64_t count;
    int at_least;   ///< 1: further calls were not counted
    int recursive;  ///< 1: inside a cycle, or to itself: its cost is part of no inclusive cost
} callcost_arc;

CALLCOST_C_API size_t callcost_arc_count(const callcost_profile* profile);
CALLCOST_C_API int callcost_arc_at(const callcost_profile* profile, size_t arc, callcost_arc* out);
/// The inclusive cost of the calls.
CALLCOST_C_API int64_t callcost_arc_cost(const callcost_profile* profile, size_t arc, size_t event);

/// A cost line as in the file: a place may occur many times.
typedef struct callcost_line {
    size_t function;       ///< row
    callcost_text file;    ///< another than the function's for inlined code
    uint64_t line;         ///< 0 = unknown
    uint64_t address;      ///< of the instruction; 0 = unknown
    const int64_t* costs;  ///< one per event of the profile; until the next step
} callcost_line;

/// Walks over the lines of a function, or of all of them, function by function. May outlive the profile.
typedef struct callcost_lines callcost_lines;
#define CALLCOST_ALL_FUNCTIONS SIZE_MAX
CALLCOST_C_API callcost_lines* callcost_open_lines(const callcost_profile* profile, size_t function,
                                                   callcost_error* error);
CALLCOST_C_API int callcost_next_line(callcost_lines* lines,
                                      callcost_line* out);  ///< 1; 0 at the end; -1 where memory runs out
CALLCOST_C_API void callcost_close_lines(callcost_lines* lines);

typedef enum callcost_severity {
    CALLCOST_NOTE = 0,     ///< harmless
    CALLCOST_WARNING = 1,  ///< outside the specification, read by a stated rule
    CALLCOST_ERROR = 2     ///< data were lost or their meaning was guessed
} callcost_severity;

/// All occurrences of one problem, with the first place.
typedef struct callcost_diagnostic {
    callcost_text name;  ///< never changes, such as "bad-number"
    callcost_text rule;  ///< of docs/format.md, such as "F31"
    callcost_severity severity;
    uint64_t count;
    uint64_t line, column;  ///< 0 = no place
    callcost_text excerpt;  ///< of the line, at most 160 bytes
} callcost_diagnostic;

CALLCOST_C_API size_t callcost_diagnostic_count(const callcost_profile* profile);
CALLCOST_C_API int callcost_diagnostic_at(const callcost_profile* profile, size_t row,
                                          callcost_diagnostic* out);

/* -- Writing ----------------------------------------------------------------------------------------------
 */

/// Which readers the file must suit.
typedef enum callcost_dialect {
    CALLCOST_PORTABLE = 0,   ///< every known reader: one part, no addresses
    CALLCOST_COMPACT = 1,    ///< as Callgrind writes: smallest, and nothing is lost
    CALLCOST_STRICT = 2,     ///< the grammar of the published specification and nothing else
    CALLCOST_CACHEGRIND = 3  ///< lines of functions, no calls
} callcost_dialect;

/// All 0 is the default.
typedef struct callcost_write_options {
    int dialect;               ///< a callcost_dialect
    const char* creator;       ///< "mytool-1.0"; NULL: callcost. For callcost_open_writer only
    int without_calls;         ///< leave calls out where the dialect has none; else they are an error
    int unknown_count_as_one;  ///< for readers that misunderstand `calls=0`. 0: portable only; -1: never
    int canonical;             ///< sorted and added up. For callcost_write_profile only
} callcost_write_options;

/// Takes the next bytes of the file; returns 0, or anything else to end the writing.
typedef int (*callcost_write)(void* context, const char* bytes, size_t size);

/// Writes a whole profile. `options` may be NULL.
CALLCOST_C_API callcost_code callcost_write_profile(const callcost_profile* profile, callcost_write write,
                                                    void* context, const callcost_write_options* options,
                                                    callcost_error* error);

/// Writes a file from front to back, for measurement tools. Text handed to it ends with 0 and is copied.
/// Errors need to be checked only once, at callcost_writer_finish. A misused step returns
/// CALLCOST_BAD_ARGUMENT and writes nothing, and callcost_writer_finish returns the first such error; after
/// any other error every further step fails.
typedef struct callcost_writer callcost_writer;
CALLCOST_C_API callcost_writer* callcost_open_writer(callcost_write write, void* context,
                                                     const callcost_write_options* options,
                                                     callcost_error* error);

/// Files and functions are numbers from 1 on, 0 is none: equal names are the same. NULL is an unknown object
/// or file. They return 0 where memory runs out.
CALLCOST_C_API uint32_t callcost_writer_file(callcost_writer* writer, const char* name);
CALLCOST_C_API uint32_t callcost_writer_function(callcost_writer* writer, const char* object,
                                                 const char* file, const char* name);
typedef struct callcost_written_event {
    const char* name;       ///< no blanks
    const char* long_name;  ///< NULL: none
} callcost_written_event;

/// The header of a part. All 0 except the events is the default.
typedef struct callcost_part {
    const callcost_written_event* events;
    size_t event_count;                   ///< at least one
    const char* command;                  ///< NULL: unknown
    const uint64_t *pid, *part, *thread;  ///< NULL: none
    int addresses;                        ///< 1: lines have instruction addresses
    const int64_t* summary;               ///< a number per event, if it is known and not the sum; else NULL
} callcost_part;
typedef struct callcost_place {
    uint32_t file;  ///< 0: that of the function
    uint64_t line, address;
} callcost_place;
typedef struct callcost_call {
    callcost_place place;  ///< where it is called
    uint32_t callee;
    uint64_t count;  ///< 0 = unknown
    uint64_t target_line, target_address;
} callcost_call;

/// A part begins with its heading, a function with begin_function; its self costs and calls follow, in any
/// order. Costs are those of the events in order; missing ones are 0. A call's cost is the inclusive one.
CALLCOST_C_API callcost_code callcost_writer_begin_part(callcost_writer* writer, const callcost_part* part,
                                                        callcost_error* error);
CALLCOST_C_API callcost_code callcost_writer_begin_function(callcost_writer* writer, uint32_t function,
                                                            callcost_error* error);
CALLCOST_C_API callcost_code callcost_writer_cost(callcost_writer* writer, const callcost_place* place,
                                                  const int64_t* costs, size_t count, callcost_error* error);
CALLCOST_C_API callcost_code callcost_writer_call(callcost_writer* writer, const callcost_call* call,
                                                  const int64_t* costs, size_t count, callcost_error* error);
/// Ends the file: without it the file is truncated. Returns the first error of all steps.
CALLCOST_C_API callcost_code callcost_writer_finish(callcost_writer* writer, callcost_error* error);
CALLCOST_C_API void callcost_close_writer(callcost_writer* writer);

#ifdef __cplusplus
}
#endif

#endif

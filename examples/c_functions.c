/* From C: the most expensive functions of a profile; a small profile written and read back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <callcost/callcost.h>

static size_t read_file(void* file, char* buffer, size_t size) {
    const size_t count = fread(buffer, 1, size, (FILE*)file);
    return count == 0 && ferror((FILE*)file) ? CALLCOST_READ_ERROR : count;
}

typedef struct Row {
    size_t function;
    int64_t self;
} Row;

static int by_self(const void* a, const void* b) {
    const Row *first = (const Row*)a, *second = (const Row*)b;
    if (first->self != second->self) return first->self < second->self ? 1 : -1;
    return first->function < second->function ? -1 : 1;
}

/* The total and the three functions of the highest self cost, by the first event. */
static void print_top(const callcost_profile* profile) {
    const size_t count = callcost_function_count(profile);
    Row* rows = (Row*)calloc(count + 1, sizeof *rows);
    if (rows == NULL) return;
    for (size_t row = 0; row < count; ++row) {
        rows[row].function = row;
        rows[row].self = callcost_self(profile, row, 0);
    }
    qsort(rows, count, sizeof *rows, by_self);

    callcost_event event;
    callcost_event_at(profile, 0, &event);
    printf("%lld %.*s\n", (long long)callcost_total(profile, 0), (int)event.name.size, event.name.data);
    for (size_t row = 0; row < count && row < 3; ++row) {
        callcost_function function;
        callcost_function_at(profile, rows[row].function, &function);
        printf("  self %lld, inclusive %lld: %.*s\n", (long long)rows[row].self,
               (long long)callcost_inclusive(profile, rows[row].function, 0), (int)function.name.size,
               function.name.data);
    }
    free(rows);
}

/* Where the written profile goes. */
typedef struct Buffer {
    char bytes[4096];
    size_t size;
} Buffer;

static int append(void* context, const char* bytes, size_t size) {
    Buffer* buffer = (Buffer*)context;
    if (size > sizeof buffer->bytes - buffer->size) return 1; /* ends the writing */
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return 0;
}

static callcost_code write_soup(Buffer* buffer, callcost_error* error) {
    const callcost_written_event events[] = {{"Ir", "Instructions"}};
    const callcost_part part = {.events = events, .event_count = 1, .command = "./soup"};
    const int64_t self = 20, calls = 100;
    callcost_writer* writer = callcost_open_writer(append, buffer, NULL, error);
    if (writer == NULL) return error->code;
    const uint32_t cook = callcost_writer_function(writer, NULL, "soup.c", "main");
    const uint32_t chop = callcost_writer_function(writer, NULL, "soup.c", "chop");
    const callcost_place cooking = {.line = 10}, chopping = {.line = 30};
    const callcost_call call = {.place = {.line = 12}, .callee = chop, .count = 4, .target_line = 30};
    callcost_writer_begin_part(writer, &part, NULL);
    callcost_writer_begin_function(writer, cook, NULL);
    callcost_writer_cost(writer, &cooking, &self, 1, NULL);
    callcost_writer_call(writer, &call, &calls, 1, NULL);
    callcost_writer_begin_function(writer, chop, NULL);
    callcost_writer_cost(writer, &chopping, &calls, 1, NULL);
    const callcost_code code = callcost_writer_finish(writer, error); /* the first error of any step */
    callcost_close_writer(writer);
    return code;
}

static int fail(const callcost_error* error) {
    fprintf(stderr, "line %llu: %s\n", (unsigned long long)error->line, error->message);
    return EXIT_FAILURE;
}

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "callgrind.out";
    callcost_error error;
    FILE* file = fopen(name, "rb");
    if (file == NULL) {
        perror(name);
        return EXIT_FAILURE;
    }
    callcost_profile* profile = callcost_open(read_file, file, name, &error);
    fclose(file);
    if (profile == NULL) return fail(&error);
    print_top(profile);
    callcost_close(profile);

    Buffer buffer = {.size = 0};
    if (write_soup(&buffer, &error) != CALLCOST_OK) return fail(&error);
    profile = callcost_open_memory(buffer.bytes, buffer.size, "soup", &error);
    if (profile == NULL) return fail(&error);
    print_top(profile);
    callcost_close(profile);
    return EXIT_SUCCESS;
}

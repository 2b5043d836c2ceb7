/// Lazy loading of libraries: a library is loaded at the first call of one of its functions. `cutied ctl`,
/// which a status bar may run every second, calls none of them, and loading all of them would take half of
/// its run time.
///
/// Each function keeps the name and the type of its own header. A stub with this name passes all arguments
/// on. If the library or the function is missing, the program prints an error and exits with 127, as with the
/// dynamic linker.
#ifndef CLAZYLOAD_LAZY_LOAD_H
#define CLAZYLOAD_LAZY_LOAD_H

typedef struct {
    void *address;
    const char *name, *library;
} lazy_load_function;

/// Finds the function and stores its address, so that later calls jump to it directly. Exits if it is
/// missing.
void *lazy_load_find(lazy_load_function *function);

/// Must not be called from C: it expects a `lazy_load_function` in a scratch register.
void lazy_load_bind(void);

// r11, x16 and x17 are free at the entry of a function. The stub is hidden because an exported symbol would
// also replace the function within its own library.
#if defined(__x86_64__)
#define LAZY_LOAD_JUMP(name) "endbr64\n leaq lazy_load_of_" #name "(%rip), %r11\n jmp *(%r11)\n"
#elif defined(__aarch64__)
#define LAZY_LOAD_JUMP(name) \
    "hint #34\n adrp x16, lazy_load_of_" #name "\n add x16, x16, :lo12:lazy_load_of_" #name \
    "\n ldr x17, [x16]\n br x17\n"
#else
#error "no jump is written for this processor: see lazy_load.h and bind.S"
#endif

/// Use at file scope, once per library. Adds an ELF note that reports the dependency to package tools:
/// https://uapi-group.org/specifications/specs/elf_dlopen_metadata/
#define LAZY_LOAD_NOTE(library) \
    __asm__(".pushsection .note.dlopen, \"a\", %note\n .balign 4\n .long 4, 2f - 1f, 0x407c0c0a\n" \
            ".asciz \"FDO\"\n 1: .asciz \"[{\\\"soname\\\":[\\\"" library \
            "\\\"],\\\"priority\\\":\\\"required\\\"}]\"\n 2: .balign 4\n .popsection\n")

/// Use at file scope, once per called function: LAZY_LOAD("libsystemd.so.0", sd_notify). The symbols are weak
/// because several targets may call the function.
#define LAZY_LOAD(library, name) \
    __attribute__((weak, visibility("hidden"))) lazy_load_function lazy_load_of_##name = { \
        (void *)lazy_load_bind, #name, library}; \
    __asm__(".pushsection .text\n .p2align 4\n .weak " #name "\n .hidden " #name "\n .type " #name \
            ", %function\n" #name ":\n" LAZY_LOAD_JUMP(name) ".size " #name ", . - " #name "\n .popsection\n")

#endif

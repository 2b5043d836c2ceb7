/// Libraries that are loaded with the first call of one of their functions. `cutied ctl`, which a status bar
/// runs every second, calls none of them, and the loading of all would take half of its time.
///
/// A function keeps the name and the type that its own header gives it: what stands here under that name hands
/// every argument on. Where the library or the function is missing the program ends with a sentence, as it
/// does where the dynamic linker misses one.
#ifndef CLAZYLOAD_LAZY_LOAD_H
#define CLAZYLOAD_LAZY_LOAD_H

typedef struct {
    void *address;
    const char *name, *library;
} lazy_load_function;

/// Finds the function, whose every later call goes there at once. Ends the program where it is not there.
void *lazy_load_find(lazy_load_function *function);

/// Not to be called from C: it takes a `lazy_load_function` in a scratch register.
void lazy_load_bind(void);

// r11, x16 and x17 are free at the entry of every function. Hidden: seen from outside, the name would take the
// place of the library's own within the library.
#if defined(__x86_64__)
#define LAZY_LOAD_JUMP(name) "endbr64\n leaq lazy_load_of_" #name "(%rip), %r11\n jmp *(%r11)\n"
#elif defined(__aarch64__)
#define LAZY_LOAD_JUMP(name) \
    "hint #34\n adrp x16, lazy_load_of_" #name "\n add x16, x16, :lo12:lazy_load_of_" #name \
    "\n ldr x17, [x16]\n br x17\n"
#else
#error "no jump is written for this processor: see lazy_load.h and bind.S"
#endif

/// At file scope, for each library: tells those who make packages of it, by a note of
/// https://uapi-group.org/specifications/specs/elf_dlopen_metadata/
#define LAZY_LOAD_NOTE(library) \
    __asm__(".pushsection .note.dlopen, \"a\", %note\n .balign 4\n .long 4, 2f - 1f, 0x407c0c0a\n" \
            ".asciz \"FDO\"\n 1: .asciz \"[{\\\"soname\\\":[\\\"" library \
            "\\\"],\\\"priority\\\":\\\"required\\\"}]\"\n 2: .balign 4\n .popsection\n")

/// At file scope, for each function that is called: LAZY_LOAD("libsystemd.so.0", sd_notify)
/// Weak: more than one target may call it.
#define LAZY_LOAD(library, name) \
    __attribute__((weak, visibility("hidden"))) lazy_load_function lazy_load_of_##name = { \
        (void *)lazy_load_bind, #name, library}; \
    __asm__(".pushsection .text\n .p2align 4\n .weak " #name "\n .hidden " #name "\n .type " #name \
            ", %function\n" #name ":\n" LAZY_LOAD_JUMP(name) ".size " #name ", . - " #name "\n .popsection\n")

#endif

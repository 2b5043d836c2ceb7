internal import CLinux

/// The memory of the process: what the C library keeps, and what the linker mapped.
public enum Memory {
    /// One heap for all threads, which allocate little: each would keep a part of its own. Before they start.
    public static func shareHeap() { clinux_share_heap() }

    /// After work that does not come again soon. Gives back what it left free, which is kept otherwise, and the
    /// code that ran once, most of what is resident: what is needed again comes from the page cache, without a
    /// read. Not the code of debug builds, where a debugger's breakpoints would be lost. Takes milliseconds.
    public static func giveBack() {
        clinux_trim_heap()
        #if !DEBUG
            clinux_release_code()
        #endif
    }
}

internal import CLinux

/// The memory of the process: what the C library keeps, and what the linker mapped.
public enum Memory {
    /// One heap for all threads, which allocate little: each would keep a part of its own. Before they start.
    public static func shareHeap() { clinux_share_heap() }

    /// Gives back what a burst left free: it is kept otherwise. Takes milliseconds.
    public static func trimHeap() { clinux_trim_heap() }

    /// Gives back the code that ran once, most of what is resident: what is needed again comes from the page
    /// cache, without a read. Not in debug builds, where a debugger's breakpoints would be lost.
    public static func releaseCode() {
        #if !DEBUG
            clinux_release_code()
        #endif
    }
}

internal import CLinux

/// The memory of the process, as the C library keeps it.
public enum Heap {
    /// One heap for all threads, which allocate little: each would keep a part of its own. Before they start.
    public static func share() { clinux_share_heap() }

    /// Gives back what a burst left free: it is kept otherwise. Takes milliseconds.
    public static func trim() { clinux_trim_heap() }
}

import Glibc

/// A process that prints until nobody wants it any more.
enum Streaming {
    /// Ctrl-C and a reader that goes away both end it, quietly and with 0. Without the thread the second
    /// would be noticed at the next line, which may be hours away.
    static func endQuietly() {
        signal(SIGINT) { _ in _exit(ExitStatus.done.rawValue) }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                // No events are asked for: poll returns when the other end of the pipe is closed.
                var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
                while poll(&output, 1, -1) <= 0 {}
                _exit(ExitStatus.done.rawValue)
            }, nil)
    }
}

import CLinux
import Glibc

/// Runs `body` on a thread of its own, which ends with it. At most 15 bytes of `name` are kept.
public func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    let failure = pthread_create(&thread, nil, enter, start.toOpaque())
    precondition(failure == 0, "no thread \(name): \(String(cString: strerror(failure)))")
    pthread_detach(thread)
}

private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
}

private func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    clinux_name_this_thread(start.name)
    start.body()
    return nil
}

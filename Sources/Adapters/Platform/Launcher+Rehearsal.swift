import Glibc
internal import Threads

extension Launcher {
    /// What became of a program whose starter has exited, as `xdg-open` and `gio open` exit.
    public enum Rehearsal: Hashable, Sendable {
        /// It lived on, with this environment.
        case outlived(environment: [String: String])
        /// It ended with its starter.
        case ended
        /// Nothing was started; why.
        case failed(String)
    }

    /// Starts a program as `launch` does, which starts another one and exits, and listens for a few seconds at
    /// most what that one tells.
    public func rehearse() async -> Rehearsal {
        do {
            let place = try RehearsalPlace(in: environment.value(of: "XDG_RUNTIME_DIR") ?? "/tmp")
            let outcome = try await launch(["/bin/sh", "-c", Self.starter, place.answer])
            guard outcome.isSuccess else { return .failed("it \(outcome)") }
            let deadline = ContinuousClock.now + .seconds(3)
            repeat {
                if let environment = place.told { return .outlived(environment: environment) }
                try? await EventLoop.shared.sleep(for: .milliseconds(50))
            } while ContinuousClock.now < deadline
            return .ended
        } catch {
            return .failed("\(error)")
        }
    }

    /// The other one waits for the end of its starter, and a moment longer: whoever ends it with that does so
    /// right then.
    private static let starter = """
        {
            while kill -0 $$ && [ $((n += 1)) -le 20 ]; do sleep 0.1; done
            sleep 0.5
            env -0 >"$0.part" && mv "$0.part" "$0"
        } </dev/null >/dev/null 2>&1 &
        """
}

/// A directory for the answer, which goes with the value.
private final class RehearsalPlace {
    private let directory: String

    init(in parent: String) throws(SystemFailure) {
        var template = Array((parent + "/cutied-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemFailure("make a directory in \(parent)") }
        directory = String(cString: made)
    }

    deinit {
        for name in [answer, answer + ".part", directory] { remove(name) }
    }

    var answer: String { directory + "/answer" }

    /// nil until it is there.
    var told: [String: String]? {
        guard let bytes = try? SmallFile.read(answer, limit: 1 << 20) else { return nil }
        let pairs = bytes.split(separator: 0).compactMap { entry -> (String, String)? in
            let parts = entry.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

import CLinux
import CSecret
import CutieAPI
import Glibc
import Runtime

/// The helper program, which makes one call to the session's keyring and exits.
///
/// GDBus shares one connection per process, and retains a closed connection while any library uses it. In a
/// separate process, libsecret always connects to the current bus and does not interfere with libnotify, and
/// a hanging call can be terminated with the process.
public enum KeyringHelper {
    /// The argument that makes the program run as this helper; the helper has no other argument.
    public static let argument = "keyring-helper"

    /// Reads the daemon's request from standard input, a socket, and writes the response to the same socket.
    /// Returns the exit code.
    public static func run() -> Int32 {
        clinux_name_this_thread("cutied-keyring")
        let socket = Descriptor(owning: STDIN_FILENO)
        guard let bytes = socket.read(atMost: KeyringRequest.sizeLimit),
            let request = try? JSON.decode(KeyringRequest.self, from: bytes)
        else { return 65 }
        // Terminates the helper after its lifetime, even if the daemon exits first.
        alarm(request.lifetime)
        guard let answer = try? JSON.encode(KeyringAnswer(to: request)), socket.write(answer) else {
            return 74
        }
        return 0
    }
}

/// A request to the keyring helper. Sent over a socket pair, because other processes can read arguments and
/// environment variables.
struct KeyringRequest: Codable {
    enum Action: String, Codable {
        case probe, lookup, store, delete
    }

    /// The maximum size in bytes, which exceeds the size of the largest secret.
    static let sizeLimit = 4 * Secret.sizeLimit

    var action: Action
    /// Whether the keyring may ask the user to unlock it.
    var mayPrompt: Bool
    /// The time in seconds after which the helper exits in any case.
    var lifetime: UInt32
    var account = ""
    var origin = ""
    var type = ""
    var subject = ""
    /// The description that users see in a keyring program.
    var label = ""
    /// The secret in base64, because not every service can return arbitrary bytes; only for `store`.
    var secret = ""
}

/// The result of a call to the keyring.
struct KeyringAnswer: Codable {
    enum Outcome: String, Codable {
        case done, absent, noLibrary, noService, noKeyring, locked, timedOut, refused
    }

    var outcome: Outcome
    /// The error message of GLib.
    var reason = ""
    /// The stored secret in base64, after `lookup` and `store`.
    var secret = ""
}

extension KeyringAnswer {
    /// Executes the request.
    init(to request: KeyringRequest) {
        var call = csecret_call()
        call.may_prompt = request.mayPrompt
        var text: UnsafeMutablePointer<CChar>?
        defer { csecret_free(text) }
        let result = request.withCName { name in
            switch request.action {
            case .probe: return csecret_probe(&call)
            case .lookup: return csecret_lookup(&call, name, &text)
            case .delete: return csecret_delete(&call, name)
            case .store:
                let result = csecret_store(&call, name, request.label, request.secret)
                return result == CSECRET_DONE ? csecret_lookup(&call, name, &text) : result
            }
        }
        outcome = Outcome(result)
        reason = withUnsafeBytes(of: call.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        secret = text.map { String(cString: $0) } ?? ""
    }
}

extension KeyringAnswer.Outcome {
    fileprivate init(_ result: csecret_outcome) {
        switch result {
        case CSECRET_DONE: self = .done
        case CSECRET_ABSENT: self = .absent
        case CSECRET_NO_LIBRARY: self = .noLibrary
        case CSECRET_NO_SERVICE: self = .noService
        case CSECRET_NO_KEYRING: self = .noKeyring
        case CSECRET_LOCKED: self = .locked
        case CSECRET_TIMED_OUT: self = .timedOut
        default: self = .refused
        }
    }
}

extension KeyringRequest {
    fileprivate func withCName<Value>(_ body: (csecret_name) -> Value) -> Value {
        account.withCString { account in
            origin.withCString { origin in
                type.withCString { type in
                    subject.withCString { subject in
                        body(csecret_name(account: account, origin: origin, type: type, subject: subject))
                    }
                }
            }
        }
    }
}

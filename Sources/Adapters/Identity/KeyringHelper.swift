import CLinux
import CSecret
import CutieAPI
import Glibc
import Runtime

/// The helper program, which makes one call to the keyring of the session and exits.
///
/// A separate process is necessary because GDBus shares one connection per process, and keeps a closed
/// connection while any library uses it. In the helper, libsecret always connects to the current bus and does
/// not interfere with libnotify. If a call hangs, the daemon can kill the helper.
public enum KeyringHelper {
    /// The argument that starts the program as the keyring helper.
    public static let argument = "keyring-helper"

    /// Reads a request from standard input, which is a socket, and writes the response to the same socket.
    /// Returns the exit code.
    public static func run() -> Int32 {
        clinux_name_this_thread("cutied-keyring")
        let socket = Descriptor(owning: STDIN_FILENO)
        guard let bytes = socket.read(atMost: KeyringRequest.sizeLimit),
            let request = try? JSON.decode(KeyringRequest.self, from: bytes)
        else { return 65 }
        // Terminate the helper when its lifetime expires, even if the daemon has exited.
        alarm(request.lifetime)
        guard let answer = try? JSON.encode(KeyringResponse(executing: request)), socket.write(answer) else {
            return 74
        }
        return 0
    }
}

/// A request to the keyring helper. The request is sent over a socket, because other processes could read the
/// secret in arguments or environment variables.
struct KeyringRequest: Codable {
    enum Action: String, Codable {
        case probe, lookup, store, delete
    }

    /// The maximum size of an encoded request in bytes, which is sufficient for the largest secret.
    static let sizeLimit = 4 * Secret.sizeLimit

    var action: Action
    /// Whether the keyring may show a prompt that asks the user to unlock it.
    var mayPrompt: Bool
    /// The time after which the helper terminates itself, in seconds.
    var lifetime: UInt32
    var account = ""
    var origin = ""
    var type = ""
    var subject = ""
    /// The label of the secret, shown in keyring applications.
    var label = ""
    /// The secret to store; empty for other actions. The secret is in base64, because some keyring services
    /// cannot return arbitrary bytes.
    var secret = ""
}

/// The response of the keyring helper.
struct KeyringResponse: Codable {
    enum Outcome: String, Codable {
        case done, absent, noLibrary, noService, noKeyring, locked, timedOut, refused
    }

    var outcome: Outcome
    /// The error message from GLib; empty if there is no error.
    var reason = ""
    /// The stored secret in base64, after the operations `lookup` and `store`; otherwise empty.
    var secret = ""
}

extension KeyringResponse {
    /// Executes the request and creates the response.
    init(executing request: KeyringRequest) {
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

extension KeyringResponse.Outcome {
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

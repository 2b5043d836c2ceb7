import CSecret
import FoundationEssentials

/// The session's keyring through libsecret. Its calls block: they belong on a `BlockingThread`.
struct SecretService {
    /// How long an answer may take where no person is asked, and where one is.
    var limit: Duration = .seconds(10)
    var promptLimit: Duration = .seconds(60)

    /// What the service said, where it is more than a failure.
    enum Problem: Error, Hashable {
        case absent, noService, noKeyring, locked, timedOut, cancelled
        case refused(String)
    }

    /// Throws where a new secret could not be kept now.
    func probe(_ asking: Asking) throws(Problem) {
        try call(asking) { csecret_probe(&$0) }
    }

    func lookup(_ name: SecretName, _ asking: Asking) throws(Problem) -> Secret {
        var text: UnsafeMutablePointer<CChar>?
        defer { csecret_free(text) }
        try call(asking) { call in
            name.withC { csecret_lookup(&call, $0, &text) }
        }
        guard let text, let bytes = Data(base64Encoded: String(cString: text)) else {
            throw .refused("the keyring holds something else under the secret's name")
        }
        return Secret(Array(bytes))
    }

    func store(_ secret: Secret, as name: SecretName, _ asking: Asking) throws(Problem) {
        // As text, because not every service gives arbitrary bytes back.
        let text = Data(secret.bytes).base64EncodedString()
        try call(asking) { call in
            name.withC { csecret_store(&call, $0, name.label, text) }
        }
    }

    func delete(_ name: SecretName, _ asking: Asking) throws(Problem) {
        try call(asking) { call in
            name.withC { csecret_delete(&call, $0) }
        }
    }

    private func call(
        _ asking: Asking, _ body: (inout csecret_call) -> csecret_outcome
    ) throws(Problem) {
        var call = csecret_call()
        call.limit = UInt32((asking.mayPrompt ? promptLimit : limit) / .milliseconds(1))
        call.may_prompt = asking.mayPrompt
        call.stop = asking.interruption.handle
        let outcome = body(&call)
        guard outcome != CSECRET_DONE else { return }
        throw Problem(outcome, call)
    }

    /// On what terms a call is made.
    struct Asking {
        var mayPrompt = false
        let interruption: Interruption
    }

    /// Ends the calls made with it, from any thread.
    final class Interruption: @unchecked Sendable {
        // What it points to may be used from any thread: only a GCancellable.
        fileprivate let handle = csecret_stop_new()

        func interrupt() { csecret_stop_now(handle) }

        deinit { csecret_stop_free(handle) }
    }
}

extension SecretService.Problem {
    fileprivate init(_ outcome: csecret_outcome, _ call: csecret_call) {
        switch outcome {
        case CSECRET_ABSENT: self = .absent
        case CSECRET_NO_SERVICE: self = .noService
        case CSECRET_NO_KEYRING: self = .noKeyring
        case CSECRET_LOCKED: self = .locked
        case CSECRET_TIMED_OUT: self = .timedOut
        case CSECRET_CANCELLED: self = .cancelled
        default:
            self = .refused(
                withUnsafeBytes(of: call.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
    }

    /// What is wrong and what to do.
    var sentence: String {
        switch self {
        case .absent: "the keyring has no such secret"
        case .noService: "no secret service answers; start a keyring, or set `secrets: file`"
        case .noKeyring: "the secret service has no default keyring; make one, or set `secrets: file`"
        case .locked: "the keyring is locked; unlock it"
        case .timedOut: "the secret service does not answer; restart the keyring"
        case .cancelled: "the keyring was not waited for"
        case .refused(let cause): "the secret service refused (\(cause)); look into its log"
        }
    }
}

extension SecretName {
    /// For the person who looks through the keyring.
    fileprivate var label: String { "cutied: \(type.rawValue) of \(account) at \(origin)" }

    fileprivate func withC<Value>(_ body: (csecret_name) -> Value) -> Value {
        account.withCString { account in
            origin.withCString { origin in
                type.rawValue.withCString { type in
                    subject.withCString { subject in
                        body(csecret_name(account: account, origin: origin, type: type, subject: subject))
                    }
                }
            }
        }
    }
}

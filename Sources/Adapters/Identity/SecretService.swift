import CLinux
import CutieAPI
import FoundationEssentials
import Glibc
import Runtime

/// The session's keyring, called through one process per call (`KeyringHelper`). Calls block, so use them
/// only on a `BlockingThread`.
struct SecretService {
    /// The time limits of a call without and with a prompt.
    var limit: Duration = .seconds(10)
    var promptLimit: Duration = .seconds(60)
    /// The helper program: the running one, even if an upgrade has replaced its file.
    var program = "/proc/self/exe"

    /// An answer of the service other than success.
    enum Problem: Error, Hashable {
        case absent, noLibrary, noService, noKeyring, locked, timedOut, cancelled
        case refused(String)
    }

    /// Throws if a new secret could not be stored now.
    func probe(_ asking: PromptOptions) throws(Problem) {
        _ = try call(.probe, asking)
    }

    func lookup(_ name: SecretName, _ asking: PromptOptions) throws(Problem) -> Secret {
        let answer = try call(.lookup, asking) { $0.set(name) }
        guard let bytes = Data(base64Encoded: answer.secret) else {
            throw .refused("the keyring contains another item with the secret's name")
        }
        return Secret(Array(bytes))
    }

    /// Stores `secret` and reads it back to verify it.
    func store(_ secret: Secret, as name: SecretName, _ asking: PromptOptions) throws(Problem) {
        let text = Data(secret.bytes).base64EncodedString()
        let answer = try call(.store, asking) { request in
            request.set(name)
            request.secret = text
        }
        guard answer.secret == text else {
            throw .refused("it does not return the secret that was stored")
        }
    }

    func delete(_ name: SecretName, _ asking: PromptOptions) throws(Problem) {
        _ = try call(.delete, asking) { $0.set(name) }
    }

    private func call(
        _ action: KeyringRequest.Action, _ asking: PromptOptions,
        _ fill: (inout KeyringRequest) -> Void = { _ in }
    ) throws(Problem) -> KeyringAnswer {
        let limit = asking.mayPrompt ? promptLimit : limit
        let lifetime = UInt32((limit / .seconds(1)).rounded(.up)) * (asking.mayPrompt ? 10 : 1) + 1
        var request = KeyringRequest(action: action, mayPrompt: asking.mayPrompt, lifetime: lifetime)
        fill(&request)
        guard let bytes = try? JSON.encode(request) else { throw .refused("the request is not text") }
        guard let process = KeyringProcess.start(program) else {
            throw .refused("the keyring helper does not start: " + String(cString: strerror(errno)))
        }
        switch process.ask(bytes, within: limit, asking.interruption.bell) {
        case .answered(let bytes):
            process.reap()
            return try Self.answer(in: bytes)
        case .timedOut:
            if asking.mayPrompt { process.abandonPrompt() } else { process.kill() }
            throw .timedOut
        case .interrupted:
            if asking.mayPrompt { process.abandonPrompt() } else { process.kill() }
            throw .cancelled
        }
    }

    private static func answer(in bytes: [UInt8]) throws(Problem) -> KeyringAnswer {
        // GDBus ends the helper if the session bus disappears.
        guard !bytes.isEmpty else { throw .noService }
        guard let answer = try? JSON.decode(KeyringAnswer.self, from: bytes) else {
            throw .refused("the reply of the keyring helper cannot be read")
        }
        switch answer.outcome {
        case .done: return answer
        case .absent: throw .absent
        case .noLibrary: throw .noLibrary
        case .noService: throw .noService
        case .noKeyring: throw .noKeyring
        case .locked: throw .locked
        case .timedOut: throw .timedOut
        case .refused: throw .refused(answer.reason)
        }
    }

    /// The conditions of a call.
    struct PromptOptions {
        var mayPrompt = false
        let interruption: CallInterruption
    }

    /// Cancels the calls made with it, from any thread.
    final class CallInterruption: Sendable {
        fileprivate let bell = Descriptor(owning: eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))

        func interrupt() { eventfd_write(bell.number, 1) }
    }
}

extension SecretService.Problem {
    /// The problem and the fix.
    var sentence: String {
        switch self {
        case .absent: "the keyring has no such secret"
        case .noLibrary:
            "libsecret is not installed; type `sudo apt install libsecret-1-0`, or set `secrets: file`"
        case .noService: "no secret service answers; start a keyring, or set `secrets: file`"
        case .noKeyring: "the secret service has no default keyring; make one, or set `secrets: file`"
        case .locked: "the keyring is locked; unlock it"
        case .timedOut: "the secret service does not respond; restart the keyring"
        case .cancelled: "the request to the keyring was cancelled"
        case .refused(let cause): "the secret service refused the request (\(cause)); check its log"
        }
    }
}

extension KeyringRequest {
    fileprivate mutating func set(_ name: SecretName) {
        (account, origin, type, subject) = (name.account, name.origin, name.type.rawValue, name.subject)
        label = "cutied: \(type) of \(account) at \(origin)"
    }
}

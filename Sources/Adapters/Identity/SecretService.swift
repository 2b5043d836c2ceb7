import CLinux
import CutieAPI
import FoundationEssentials
import Glibc
import Runtime

/// The session's keyring. Each call starts a helper process (`KeyringHelper`) and blocks, so calls must run
/// on a `BlockingThread`.
struct SecretService: KeyringBackend {
    /// The time limits of a call: `limit` without a prompt, `promptLimit` with a prompt.
    var limit: Duration = .seconds(10)
    var promptLimit: Duration = .seconds(60)
    /// The helper program, by default the running executable, even if an upgrade has replaced its file.
    var program = "/proc/self/exe"

    func checkAvailability(options: KeyringCallOptions) throws(KeyringProblem) {
        _ = try callHelper(.probe, options: options)
    }

    func lookUpSecret(named name: SecretName, options: KeyringCallOptions) throws(KeyringProblem) -> Secret {
        let answer = try callHelper(.lookup, options: options) { $0.setAttributes(from: name) }
        guard let bytes = Data(base64Encoded: answer.secret) else {
            throw .refused("the keyring contains another item with the secret's name")
        }
        return Secret(Array(bytes))
    }

    /// Stores `secret`, and reads it back to verify the result.
    func store(_ secret: Secret, as name: SecretName, options: KeyringCallOptions) throws(KeyringProblem) {
        let text = Data(secret.bytes).base64EncodedString()
        let answer = try callHelper(.store, options: options) { request in
            request.setAttributes(from: name)
            request.secret = text
        }
        guard answer.secret == text else {
            throw .refused("it does not return the secret that was stored")
        }
    }

    func deleteSecret(named name: SecretName, options: KeyringCallOptions) throws(KeyringProblem) {
        _ = try callHelper(.delete, options: options) { $0.setAttributes(from: name) }
    }

    private func callHelper(
        _ action: KeyringRequest.Action, options: KeyringCallOptions,
        configure fill: (inout KeyringRequest) -> Void = { _ in }
    ) throws(KeyringProblem) -> KeyringResponse {
        let limit = options.mayPrompt ? promptLimit : limit
        let lifetime = UInt32((limit / .seconds(1)).rounded(.up)) * (options.mayPrompt ? 10 : 1) + 1
        var request = KeyringRequest(action: action, mayPrompt: options.mayPrompt, lifetime: lifetime)
        fill(&request)
        guard let bytes = try? JSON.encode(request) else { throw .refused("the request is not text") }
        guard let process = KeyringProcess.start(program) else {
            throw .refused("the keyring helper does not start: " + String(cString: strerror(errno)))
        }
        switch process.sendAndReceive(bytes, within: limit, interruption: options.interruption.interruptEvent)
        {
        case .answered(let bytes):
            process.reap()
            return try Self.parseResponse(in: bytes)
        case .timedOut:
            if options.mayPrompt { process.keepRunningForPrompt() } else { process.kill() }
            throw .timedOut
        case .interrupted:
            if options.mayPrompt { process.keepRunningForPrompt() } else { process.kill() }
            throw .cancelled
        }
    }

    private static func parseResponse(in bytes: [UInt8]) throws(KeyringProblem) -> KeyringResponse {
        // An empty output means that GDBus terminated the helper, because the session bus closed the
        // connection.
        guard !bytes.isEmpty else { throw .noService }
        guard let answer = try? JSON.decode(KeyringResponse.self, from: bytes) else {
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
}

extension KeyringRequest {
    fileprivate mutating func setAttributes(from name: SecretName) {
        (account, origin, type, subject) = (name.account, name.origin, name.type.rawValue, name.subject)
        label = "cutied: \(type) of \(account) at \(origin)"
    }
}

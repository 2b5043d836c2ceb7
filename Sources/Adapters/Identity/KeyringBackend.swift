import CLinux
import Glibc
import Runtime

/// A keyring of the session, which `SecretStore` can use instead of a file. Calls block, so they must run on
/// a `BlockingThread`.
protocol KeyringBackend: Sendable {
    /// Throws if the keyring cannot store a new secret at present.
    func probe(_ options: KeyringCallOptions) throws(KeyringProblem)

    /// Returns the secret. Throws `absent` if the keyring does not contain it.
    func lookup(_ name: SecretName, options: KeyringCallOptions) throws(KeyringProblem) -> Secret

    /// Stores `secret`, and reads it back to verify the result.
    func store(_ secret: Secret, as name: SecretName, options: KeyringCallOptions) throws(KeyringProblem)

    /// Deletes the secret. Does nothing if the keyring does not contain it.
    func delete(_ name: SecretName, options: KeyringCallOptions) throws(KeyringProblem)
}

/// The options of a call to the keyring.
struct KeyringCallOptions {
    /// Whether the keyring may show a prompt that asks the user to unlock it.
    var mayPrompt = false
    let interruption: CallInterruption
}

/// A cancellation signal for keyring calls. Any thread can send the signal.
final class CallInterruption: Sendable {
    let interruptEvent = Descriptor(owning: eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))

    func interrupt() { eventfd_write(interruptEvent.number, 1) }
}

/// The reason why a keyring call failed.
enum KeyringProblem: Error, Hashable {
    case absent, noLibrary, noService, noKeyring, locked, timedOut, cancelled
    case refused(String)
}

extension KeyringProblem {
    /// A message for the user that describes the problem and the fix.
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

import CLinux
import Glibc
import Runtime

/// A keyring of the session, in which `SecretStore` stores secrets instead of its file. Calls block, so they
/// must run on a `BlockingThread`.
protocol KeyringBackend: Sendable {
    /// Throws if a new secret could not be stored now.
    func probe(_ options: KeyringCallOptions) throws(KeyringProblem)

    /// Returns the secret; throws `absent` if there is none.
    func lookup(_ name: SecretName, _ options: KeyringCallOptions) throws(KeyringProblem) -> Secret

    /// Stores `secret` and reads it back to verify it.
    func store(_ secret: Secret, as name: SecretName, _ options: KeyringCallOptions) throws(KeyringProblem)

    /// Deletes the secret; does nothing if there is none.
    func delete(_ name: SecretName, _ options: KeyringCallOptions) throws(KeyringProblem)
}

/// The options of a call to the keyring.
struct KeyringCallOptions {
    /// Whether the keyring may ask the user to unlock it.
    var mayPrompt = false
    let interruption: CallInterruption
}

/// A cancellation handle for calls, usable from any thread.
final class CallInterruption: Sendable {
    let bell = Descriptor(owning: eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))

    func interrupt() { eventfd_write(bell.number, 1) }
}

/// The reason why a call to a keyring failed.
enum KeyringProblem: Error, Hashable {
    case absent, noLibrary, noService, noKeyring, locked, timedOut, cancelled
    case refused(String)
}

extension KeyringProblem {
    /// A message with the problem and the fix.
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

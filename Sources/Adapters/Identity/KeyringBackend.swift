import CLinux
import Glibc
import Reasons
import Runtime

/// A keyring of the session, which `SecretStore` can use instead of a file. Calls block, so they must run on
/// a `BlockingThread`.
protocol KeyringBackend: Sendable {
    /// Checks whether the keyring can store a new secret at present, and throws if not.
    func checkAvailability(options: KeyringCallOptions) throws(KeyringProblem)

    /// Returns the secret. Throws `absent` if the keyring does not contain it.
    func lookUpSecret(named name: SecretName, options: KeyringCallOptions) throws(KeyringProblem) -> Secret

    /// Stores `secret`, and reads it back to verify the result.
    func store(_ secret: Secret, as name: SecretName, options: KeyringCallOptions) throws(KeyringProblem)

    /// Deletes the secret. Does nothing if the keyring does not contain it.
    func deleteSecret(named name: SecretName, options: KeyringCallOptions) throws(KeyringProblem)
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
    var reason: Reason {
        switch self {
        case .absent: Reason(.keyringRefused, ["detail": " (the keyring has no such secret)"])
        case .noLibrary: Reason(.keyringWithoutLibrary)
        case .noService: Reason(.keyringMissing)
        case .noKeyring: Reason(.keyringEmpty)
        case .locked: Reason(.keyringStillLocked)
        case .timedOut: Reason(.keyringSilent)
        case .cancelled: Reason(.requestCancelled)
        case .refused(let message): Reason(.keyringRefused, ["detail": " (\(message))"])
        }
    }
}

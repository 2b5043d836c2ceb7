import CutieAPI
import Identity
import Logging
import Store

/// Where the token of one device is kept: in the secret store, under the origin that issued it.
final class TokenSafe {
    private let account: AccountID
    private let name: SecretName
    private let secrets: SecretStore
    private let store: Store
    private let logger: Logger

    init(account: Account, secrets: SecretStore, store: Store, logger: Logger) {
        (self.account, self.secrets, self.store, self.logger) = (account.id, secrets, store, logger)
        name = SecretName(
            account: account.name, address: account.address, type: .deviceToken,
            subject: account.credential.deviceID.rawValue)
    }

    /// nil where there is none. Throws where there is one in a keyring that does not give it.
    func token() async throws -> DeviceToken? {
        let kept = try await secrets.secret(name)
        guard let former = try store.read({ try $0.account(account) })?.formerToken.map({ DeviceToken($0) })
        else { return kept?.token() }
        if kept == nil {
            // Without another place the database is the better one than none.
            guard await keep(former) else { return former }
        }
        try store.forgetFormerToken(of: account)
        return kept?.token() ?? former
    }

    /// False where it could not be kept.
    func keep(_ token: DeviceToken) async -> Bool {
        do {
            try await secrets.keep(Secret(token), as: name)
            return true
        } catch {
            logger.warning("the device token is not kept", metadata: ["reason": "\(error)"])
            return false
        }
    }
}

extension Store {
    func forgetFormerToken(of account: AccountID) throws {
        try write { try $0.forgetFormerToken(of: account) }
        try wipe()
    }
}

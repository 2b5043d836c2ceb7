import Config
import ControlAPI
import CutieAPI
import Store

/// A device that registers itself: once, and once more when its token is revoked.
final class DeviceAuthorizer: Authorizer {
    private let account: Account
    private let store: Store
    private var token: DeviceToken?
    private(set) var generation = 0
    /// Closed while a registration is on its way: two refused calls at once register once.
    private var isRegistering = false
    private let registered = Head()

    init(account: Account, store: Store) throws {
        self.account = account
        self.store = store
        token = try store.read { try $0.account(account.id) }?.deviceToken.map { DeviceToken($0) }
    }

    var isRegistered: Bool { token != nil }

    func headers(for request: APIRequest) -> [APIRequest.Header] {
        var headers = [
            APIRequest.Header(name: HeaderName.appID, value: account.credential.appID),
            .init(name: HeaderName.deviceID, value: account.credential.deviceID.rawValue),
            .init(name: HeaderName.sdkVersion, value: Product.version),
        ]
        if let token { headers.append(.init(name: HeaderName.deviceToken, value: token.rawValue)) }
        if let key = account.configuration.apiKey {
            headers.append(.init(name: HeaderName.apiKey, value: key))
        }
        return headers
    }

    /// Gets a token where there is none.
    func register(by client: APIClient) async throws(APIFailure) {
        while isRegistering {
            do { try await registered.passed(registered.value) } catch { throw .cancelled }
        }
        guard token == nil else { return }
        isRegistering = true
        defer {
            isRegistering = false
            registered.advance()
        }
        let registration = Registration(appID: account.credential.appID)
        keep(try await client.register(registration).deviceToken)
    }

    /// The token is revoked: forget it and register again, unless another call did so meanwhile.
    func recover(from401 generation: Int, by client: APIClient) async throws(APIFailure) -> Bool {
        if generation == self.generation, !isRegistering { keep(nil) }
        try await register(by: client)
        return token != nil
    }

    /// A token that cannot be written is used all the same: the next start registers again.
    private func keep(_ token: DeviceToken?) {
        self.token = token
        generation += 1
        try? store.write { try $0.setDeviceToken(token?.rawValue, of: account.id) }
    }
}

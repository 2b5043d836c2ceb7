package import ControlAPI
package import CutieAPI
import Log

/// Nobody has signed in: nothing goes out.
package final class SignedOutAuthorizer: Authorizer {
    package init() {}

    package let isReady = false
    package let generation = 0
    package let authentication = Authentication.unauthenticated

    package func load() async throws(APIFailure) {}

    package func prepare(by client: APIClient) async throws(APIFailure) {
        throw .unauthorized("nobody is signed in")
    }

    package func headers(for request: APIRequest) -> [APIRequest.Header] { [] }

    package func recover(
        from401 generation: Int, saidByAPI: Bool, by client: APIClient
    ) async throws(APIFailure) -> Bool { false }

    /// Waits until it is cancelled: there is nothing to do.
    package func run(by client: APIClient) async throws { try await never.wait(past: 0) }

    private let never = Signal()
}

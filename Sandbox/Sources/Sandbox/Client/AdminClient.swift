import CutieAPI
import Foundation
import FoundationNetworking

/// A client of the admin API, for support tools.
public struct AdminClient: Sendable {
    private let url: URL
    private let client: OAuthClient
    private let session: URLSession

    /// Creates a client.
    ///
    /// - Throws: `SandboxError` if `url` is not an HTTP address.
    public init(url: String, client: OAuthClient) throws {
        guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme), parsed.host != nil
        else {
            throw SandboxError(.badURL, "\(url) is not an address; it should look like http://127.0.0.1:8787")
        }
        self.url = parsed
        self.client = client
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30
        session = URLSession(configuration: configuration)
    }

    /// Sends a reply or an internal note to a conversation. Returns the ID of the message.
    ///
    /// - Throws: `SandboxError`.
    public func reply(_ text: String, to conversationID: String, isNote: Bool = false) async throws -> String
    {
        let segment = conversationID.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let message: Message = try await post(
            to: "v1/conversations/\(segment)/messages", body: AdminMessage(text: text, isNote: isNote),
            accessToken: try await fetchAccessToken())
        return message.id.rawValue
    }

    /// Creates a support account. Returns the generated password.
    ///
    /// - Throws: `SandboxError`.
    public func addAdmin(named name: String, email: String) async throws -> String {
        let made: CreatedAdmin = try await post(
            to: "v1/sandbox/admins", body: AdminRequest(name: name, email: email),
            accessToken: try await fetchAccessToken())
        return made.password
    }

    /// Registers a service with the issuer, so that the response of `/v1/discovery` contains the service.
    ///
    /// - Throws: `SandboxError`.
    func registerService(_ service: ServiceDocument) async throws {
        let _: Success = try await post(
            to: "v1/sandbox/services", body: service, accessToken: try await fetchAccessToken())
    }

    private struct Grant: Encodable {
        let grant_type = "client_credentials"
        let client_id: String
        let client_secret: String
    }

    private func fetchAccessToken() async throws -> String {
        let grant = Grant(client_id: client.id, client_secret: client.secret)
        let answer: TokenResponse = try await post(to: "v1/auth/oauth/token", body: grant)
        return answer.accessToken
    }

    private func post<Body: Decodable>(
        to path: String, body: some Encodable, accessToken: String? = nil
    ) async throws -> Body {
        guard let address = URL(string: path, relativeTo: url.appending(path: "/")) else {
            throw SandboxError(.badURL, "\(url) is not an address")
        }
        var request = URLRequest(url: address)
        request.httpMethod = "POST"
        request.httpBody = Data(try JSON.encode(body))
        request.setValue("application/json", forHTTPHeaderField: HeaderName.contentType)
        if let accessToken {
            request.setValue("Bearer \(accessToken)", forHTTPHeaderField: HeaderName.authorization)
        }
        let (data, response) = try await send(request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw makeError(forStatus: status, body: data) }
        do {
            return try JSON.decode(Body.self, from: data)
        } catch {
            throw SandboxError(.refused, "\(url) sent an invalid response: \(error)")
        }
    }

    private func send(_ request: URLRequest) async throws -> (Data, URLResponse) {
        do {
            return try await session.data(for: request)
        } catch {
            throw SandboxError(
                .unreachable,
                "no server answers at \(url) (\(error.localizedDescription)); start `cutie-sandbox serve`")
        }
    }

    private func makeError(forStatus status: Int, body: Data) -> SandboxError {
        let words = (try? JSON.decode(ErrorBody.self, from: body).error) ?? "status \(status)"
        switch status {
        case 401, 403:
            return SandboxError(
                .notAuthorized,
                "\(url) refused the credentials (\(words)); compare them with the output of `serve`")
        case 404: return SandboxError(.notFound, "\(url): \(words)")
        default: return SandboxError(.refused, "\(url) refused the request: \(words)")
        }
    }
}

import Config
import CutieAPI
package import HTTP
import Identity
import Log
import OAuth
import Platform

/// Speaks to the issuer of one account: what it is, and what it answers to forms.
final class IssuerClient {
    let account: Account
    let directory: IssuerDirectory
    private let transport: Transport
    private let surroundings: Surroundings

    init(of account: Account, directory: IssuerDirectory, transport: Transport, surroundings: Surroundings) {
        (self.account, self.directory) = (account, directory)
        (self.transport, self.surroundings) = (transport, surroundings)
    }

    /// What came of a form.
    enum Reply {
        case body([UInt8], at: Timestamp)
        case refused(OAuthError)
        /// Nobody answered, or not an authorization server.
        case unanswered(String, floor: Duration?)
    }

    func server() async throws(APIFailure) -> AuthorizationServer {
        AuthorizationServer(
            try await directory.metadata(), clientID: account.configuration.signIn.clientID,
            secret: try clientSecret())
    }

    func send(_ form: FormRequest) async throws(APIFailure) -> Reply {
        switch try await forms.send(form) {
        case .body(let body, let date): return .body(body, at: date)
        case .refused(let error): return .refused(error)
        case .moved:
            // What was known of the endpoint is too old.
            directory.doubt()
            return .unanswered("the issuer answered 404 at \(form.url.origin)", floor: nil)
        case .wordless(let words):
            return .unanswered("\(words); where that goes on, run `cutied ctl signin`", floor: nil)
        case .unanswered(let reason, let floor): return .unanswered(reason, floor: floor)
        }
    }

    private var forms: FormCaller {
        FormCaller(transport: transport, surroundings: surroundings, policy: policy(for:))
    }

    /// Tokens, or why there are none. A refusal is for who asked to judge.
    func tokens(by form: FormRequest) async throws(APIFailure) -> TokenReply {
        switch try await send(form) {
        case .body(let body, let date):
            do { return .tokens(try TokenAnswer(json: body), at: date) } catch {
                return .unanswered("the issuer answered something unreadable: \(error)", floor: nil)
            }
        case .refused(let error): return .refused(error)
        case .unanswered(let reason, let floor): return .unanswered(reason, floor: floor)
        }
    }

    enum TokenReply {
        case tokens(TokenAnswer, at: Timestamp)
        case refused(OAuthError)
        case unanswered(String, floor: Duration?)
    }

    /// What the issuer says of the person; nil where it does not answer that.
    func userinfo(
        at endpoint: EndpointURL, _ token: Token<AccessToken>
    ) async throws(APIFailure) -> Claims? {
        let headers = HTTPHeaders([
            (HeaderName.accept, "application/json"), (HeaderName.authorization, "Bearer " + token.rawValue),
        ])
        var request = HTTPRequest(endpoint.description, headers: headers)
        request.responseLimit = IDToken.sizeLimit
        do {
            let response = try await transport.send(request, policy: policy(for: endpoint))
            guard response.status == 200 else { return nil }
            return try? Claims(userinfo: response.body)
        } catch {
            if error.code == .cancelled { throw .cancelled }
            return nil
        }
    }

    private func policy(for endpoint: EndpointURL) -> TLSPolicy { account.tls(for: endpoint.origin) }

    /// Read anew each time: a machine's secret may be changed.
    private func clientSecret() throws(APIFailure) -> Token<ClientSecret>? {
        guard let path = account.configuration.signIn.clientSecretFile else { return nil }
        do {
            let bytes = try SmallFile.read(path, limit: Self.secretLimit)
            let text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard text.count == 1, let secret = text.first else {
                throw APIFailure.forbidden("\(path) holds no client secret; write it there, in one line")
            }
            return Token(String(secret))
        } catch let failure as APIFailure {
            throw failure
        } catch {
            throw .forbidden("the client secret cannot be read: \(error); see client_secret_file")
        }
    }

    private static let secretLimit = 4096
}

extension Account {
    /// The pins are of the API's host alone.
    package func tls(for origin: String) -> TLSPolicy {
        var policy = tls
        if origin != address.origin { policy.pins = [] }
        return policy
    }
}

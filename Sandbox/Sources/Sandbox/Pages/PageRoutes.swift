import HTTPTypes
import Hummingbird

/// Returns a handler that shows errors as a page instead of JSON.
func showingErrorsAsPages(_ handler: @escaping Handler) -> Handler {
    { call in
        do {
            return try await handler(call)
        } catch let refusal as Refusal {
            let page = HTMLPage(
                title: "Something went wrong", problem: refusal.explanation ?? refusal.sentence,
                content: "<p><a href=\"\(Issuer.Path.login.rawValue)\">Go to the start page</a></p>")
            return page.makeResponse(status: .init(code: refusal.kind.rawValue))
        }
    }
}

extension Router<BasicRequestContext> {
    /// Adds an HTML page. Errors are also shown as HTML pages.
    func addPage(at path: Issuer.Path, handlers: [HTTPRequest.Method: Handler]) {
        addResource(at: path.route, bodyLimit: 1 << 16, handlers.mapValues(showingErrorsAsPages))
    }
}

/// The page to open after a sign-in. To prevent open redirects, only known pages of this server are accepted.
struct NextPage: Sendable {
    let path: String

    /// Parses the path of a page that requires a sign-in. Returns `nil` for any other text.
    init?(_ text: String?) {
        guard let text, text.utf8.count <= 4096, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return nil
        }
        let path = text.prefix { $0 != "?" }
        guard [Issuer.Path.authorize, .device].contains(where: { $0.rawValue == path }) else { return nil }
        self.path = text
    }

    /// Creates a link back to the page of the current request, including the query. Removes the `prompt`
    /// parameter, which would ask for the password again.
    init(returningTo call: SandboxCall, to path: Issuer.Path) {
        let query = call.queryText.split(separator: "&")
            .filter { !$0.hasPrefix("prompt=") }.joined(separator: "&")
        self.path = query.isEmpty ? path.rawValue : "\(path.rawValue)?\(query)"
    }
}

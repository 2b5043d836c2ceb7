import HTTPTypes
import Hummingbird

/// Turns what is refused into a page, for people.
func asPage(_ handler: @escaping Handler) -> Handler {
    { call in
        do {
            return try await handler(call)
        } catch let refusal as Refusal {
            let page = Page(
                title: "That did not work", problem: refusal.explanation ?? refusal.sentence,
                content: "<p><a href=\"\(Issuer.Path.login.rawValue)\">To the start</a></p>")
            return page.response(status: .init(code: refusal.kind.rawValue))
        }
    }
}

extension Router<BasicRequestContext> {
    /// A path for browsers.
    func page(_ path: Issuer.Path, _ handlers: [HTTPRequest.Method: Handler]) {
        resource(path.route, limit: 1 << 16, handlers.mapValues(asPage))
    }
}

/// Where a page sends its person afterwards: to a page of ours, whatever was put into the address.
struct NextPage: Sendable {
    let path: String

    /// Nil where it is none of those that send people away to sign in.
    init?(_ text: String?) {
        guard let text, text.utf8.count <= 4096, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return nil
        }
        let path = text.prefix { $0 != "?" }
        guard [Issuer.Path.authorize, .device].contains(where: { $0.rawValue == path }) else { return nil }
        self.path = text
    }

    /// The page that is called, as it was called, without what asks for the password again.
    init(back call: Call, to path: Issuer.Path) {
        let query = call.queryText.split(separator: "&")
            .filter { !$0.hasPrefix("prompt=") }.joined(separator: "&")
        self.path = query.isEmpty ? path.rawValue : "\(path.rawValue)?\(query)"
    }
}

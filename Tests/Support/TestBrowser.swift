import Foundation
import FoundationNetworking

/// A browser without a screen: it keeps cookies, reads a page's form and sends it, and stops where it is sent to
/// another program or listener.
public final class TestBrowser: Sendable {
    private let origin: String
    private let session: URLSession

    /// `origin`: `http://127.0.0.1:8787`.
    public init(_ origin: String) {
        self.origin = origin
        session = URLSession(configuration: .ephemeral, delegate: StandingStill(), delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public struct Page: Sendable {
        public let status: Int
        public let text: String
        /// Where it ended, of this server: `/device?user_code=BCDF-GHJK`.
        public let place: String
        /// Where it was sent that is not a page of this server.
        public let away: String?

        public var title: String { between("<h1>", "</h1>") }
        public var problem: String { between("role=\"alert\">", "</p>") }

        /// What its form would send as it is, hidden fields included.
        public var fields: [String: String] {
            let inputs = text.components(separatedBy: "<input ").dropFirst()
            let pairs = inputs.compactMap { input -> (String, String)? in
                let tag = input.prefix { $0 != ">" }
                return tag.attribute("name").map { ($0, tag.attribute("value") ?? "") }
            }
            return Dictionary(pairs) { first, _ in first }
        }

        /// Where its form goes.
        public var action: String? { text.components(separatedBy: "<form ").last?.attribute("action") }

        private func between(_ start: String, _ end: String) -> String {
            guard let start = text.range(of: start),
                let end = text.range(of: end, range: start.upperBound..<text.endIndex)
            else { return "" }
            return String(text[start.upperBound..<end.lowerBound])
        }
    }

    /// A page, by its path and query, or by its whole address.
    public func open(_ place: String) async throws -> Page {
        try await load(request(place))
    }

    /// Fills in a page's form and sends it.
    public func submit(_ page: Page, _ values: [String: String]) async throws -> Page {
        try await send(page.fields.merging(values) { $1 }, to: page.action ?? page.place)
    }

    /// Sends a form that no page showed.
    public func send(
        _ fields: [String: String], to place: String, headers: [String: String] = [:]
    ) async throws -> Page {
        var request = try request(place)
        request.httpMethod = "POST"
        request.httpBody = Data(Self.form(fields).utf8)
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try await load(request)
    }

    /// Signs somebody in whose password is asked for first, and goes on to `place`.
    public func signIn(_ email: String, _ password: String, to place: String) async throws -> Page {
        let page = try await open(place)
        return try await submit(page, ["email": email, "password": password])
    }

    public static func form(_ fields: [String: String]) -> String {
        fields.map { "\(encoded($0))=\(encoded($1))" }.sorted().joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private func request(_ place: String) throws -> URLRequest {
        guard let url = URL(string: place.hasPrefix("/") ? origin + place : place) else {
            throw URLError(.badURL)
        }
        return URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    }

    private func load(_ request: URLRequest) async throws -> Page {
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse, let url = response.url else {
            throw URLError(.badServerResponse)
        }
        let away = response.value(forHTTPHeaderField: "Location")
        if let away, away.hasPrefix("/") { return try await load(self.request(away)) }
        return Page(
            status: response.statusCode, text: String(decoding: data, as: UTF8.self),
            place: String(url.absoluteString.dropFirst(origin.count)), away: away)
    }
}

/// Redirects are followed by hand: Foundation would send the form again.
private final class StandingStill: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension StringProtocol {
    /// Of an element that this begins in.
    fileprivate func attribute(_ name: String) -> String? {
        guard let start = range(of: "\(name)=\"") else { return nil }
        let value = self[start.upperBound...].prefix { $0 != "\"" }
        return value.replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(
            of: "&#39;", with: "'"
        )
        .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
        .replacingOccurrences(of: "&amp;", with: "&")
    }
}

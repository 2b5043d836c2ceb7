import Foundation
import FoundationNetworking

/// A headless browser that stores cookies and submits forms. It does not follow a redirect to another program
/// or server.
public final class TestBrowser: Sendable {
    private let origin: String
    private let session: URLSession

    /// Creates a browser for pages at an origin such as `http://127.0.0.1:8787`.
    public init(_ origin: String) {
        self.origin = origin
        session = URLSession(configuration: .ephemeral, delegate: RedirectBlocker(), delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public struct Page: Sendable {
        public let status: Int
        public let text: String
        /// The path and query of the page after redirects, such as `/device?user_code=BCDF-GHJK`.
        public let place: String
        /// The target of a redirect that leaves this server; `nil` if the page was loaded.
        public let away: String?

        public var title: String { between("<h1>", "</h1>") }
        public var problem: String { between("role=\"alert\">", "</p>") }

        /// The initial values of the form fields, including hidden fields.
        public var fields: [String: String] {
            let inputs = text.components(separatedBy: "<input ").dropFirst()
            let pairs = inputs.compactMap { input -> (String, String)? in
                let tag = input.prefix { $0 != ">" }
                return tag.attribute("name").map { ($0, tag.attribute("value") ?? "") }
            }
            return Dictionary(pairs) { first, _ in first }
        }

        /// The URL to which the form is submitted, as written in the page; `nil` for the URL of the page.
        public var action: String? { text.components(separatedBy: "<form ").last?.attribute("action") }

        private func between(_ start: String, _ end: String) -> String {
            guard let start = text.range(of: start),
                let end = text.range(of: end, range: start.upperBound..<text.endIndex)
            else { return "" }
            return String(text[start.upperBound..<end.lowerBound])
        }
    }

    /// Opens a page. `place` is a path with a query, or a complete URL.
    public func open(_ place: String) async throws -> Page {
        try await load(request(place))
    }

    /// Fills in the form of a page with `values` and submits it.
    public func submit(_ page: Page, _ values: [String: String]) async throws -> Page {
        try await send(page.fields.merging(values) { $1 }, to: page.action ?? page.place)
    }

    /// Submits form fields without loading the page of the form.
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

    /// Opens `place`, which shows the sign-in page, and submits the password. Returns the resulting page.
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

/// A delegate that stops at redirects. The browser follows redirects itself, because Foundation would submit
/// the form again.
private final class RedirectBlocker: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension StringProtocol {
    /// Returns the value of the attribute `name` in the element at the beginning of this string.
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

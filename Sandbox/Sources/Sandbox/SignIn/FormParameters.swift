import CutieAPI
import Foundation

/// Request parameters, encoded as `application/x-www-form-urlencoded` or as a JSON object of strings (an
/// extension of the sandbox). A parameter with an empty value is treated as absent (RFC 6749, 3.2).
struct FormParameters {
    private var values: [String: String]

    /// Parses a form body or a query.
    ///
    /// - Throws: `Refusal` (`invalid_request`).
    init(_ bytes: some Collection<UInt8>) throws(Refusal) {
        values = [:]
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = Self.decodeValue(part[..<end]),
                let value = Self.decodeValue(part[end...].dropFirst())
            else {
                throw .oauthError("invalid_request", "the body is not a form")
            }
            guard !value.isEmpty else { continue }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .oauthError("invalid_request", "a parameter is repeated")
            }
        }
    }

    /// Parses the body of a request.
    ///
    /// - Throws: `Refusal` (`invalid_request`).
    init(_ call: SandboxCall) throws(Refusal) {
        let type = call.header(HeaderName.contentType)?.lowercased() ?? ""
        let isForm = type.split(separator: ";").first == "application/x-www-form-urlencoded"
        // Detect JSON by its first character, because curl and URLSession send the form content type by
        // default. No form starts with a brace.
        if isForm, call.body.first != UInt8(ascii: "{") {
            try self.init(call.body)
            return
        }
        do throws(Refusal) {
            self.init(values: try call.decodeBody(as: [String: String].self).filter { !$0.value.isEmpty })
        } catch {
            throw .oauthError("invalid_request", error.sentence)
        }
    }

    private init(values: [String: String]) { self.values = values }

    static func parseQuery(of call: SandboxCall) throws(Refusal) -> FormParameters {
        try FormParameters(call.queryText.utf8)
    }

    subscript(name: String) -> String? { values[name] }

    /// Returns a required parameter.
    ///
    /// - Throws: `Refusal` (`invalid_request`) if the parameter is missing.
    func requireParameter(_ name: String) throws(Refusal) -> String {
        guard let value = values[name] else { throw .oauthError("invalid_request", "\(name) is missing") }
        return value
    }

    /// Decodes a form value. Returns `nil` if the percent encoding is invalid or the result is not UTF-8.
    static func decodeValue(_ bytes: some Collection<UInt8>) -> String? {
        let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(validating: spaced, as: UTF8.self)?.removingPercentEncoding
    }

    /// Returns a query string with percent-encoded values. Omits parameters whose value is `nil`.
    static func encodeQuery(_ parameters: [(name: String, value: String?)]) -> String {
        parameters.compactMap { name, value in value.map { "\(name)=\(encodeValue($0))" } }.joined(
            separator: "&")
    }

    static func encodeValue(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

extension Refusal {
    /// Returns an OAuth error with an error code and a description for users (RFC 6749, 5.2).
    static func oauthError(_ code: String, _ description: String, _ kind: Kind = .badRequest) -> Refusal {
        var refusal = Refusal(kind, code)
        refusal.explanation = description
        return refusal
    }
}

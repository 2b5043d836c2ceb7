import JSONReading

/// A received call: the header is decoded, the parameters are still JSON.
public struct Call: Sendable {
    /// The fully qualified name, such as `io.cutied.Control.GetStatus`.
    public let method: String
    /// Whether the client expects no reply, not even an error.
    public let isOneway: Bool
    /// Whether the client accepts several replies.
    public let wantsMore: Bool
    /// Whether the client requests to switch the connection to another protocol.
    public let wantsUpgrade: Bool
    /// The parameters as a JSON object; `{}` if the call has none.
    public let parametersJSON: [UInt8]
    /// The position of each parameter in `parametersJSON`; `nil` if the parameters are not an object.
    private let parameterRanges: [String: Range<Int>]?

    public init(decoding message: [UInt8], depthLimit: Int = MessageLimits().depth) throws(MessageError) {
        let outline = try JSONOutline(message: message, inner: "parameters", depthLimit: depthLimit)
        do throws(JSONOutline.WrongType) {
            guard let method = try outline.parseString(forKey: "method") else {
                throw JSONOutline.WrongType(name: "method")
            }
            self.method = method
            isOneway = try outline.parseBool(forKey: "oneway") ?? false
            wantsMore = try outline.parseBool(forKey: "more") ?? false
            wantsUpgrade = try outline.parseBool(forKey: "upgrade") ?? false
        } catch {
            throw .notACall(reason: "bad \(error.name)")
        }
        let parameters = outline.valueJSON(forKey: "parameters")
        let start = parameters?.startIndex ?? 0
        parametersJSON = parameters.map(Array.init) ?? JSONCoding.emptyObject
        parameterRanges =
            parameters == nil
            ? [:] : outline.inner?.mapValues { $0.lowerBound - start..<$0.upperBound - start }
        guard [isOneway, wantsMore, wantsUpgrade].count(where: \.self) <= 1 else {
            throw .notACall(reason: "at most one of oneway, more and upgrade can be true")
        }
    }

    /// Decodes the parameters as `type`.
    ///
    /// - Throws: `InvalidParameter` with the name of the parameter that is missing or has the wrong type.
    public func decodeParameters<Parameters: Decodable>(
        as type: Parameters.Type
    ) throws(InvalidParameter) -> Parameters {
        do { return try JSONCoding.decode(type, from: parametersJSON) } catch {
            let name = InvalidParameter(error)?.parameter ?? findUnreadableParameter(decodingAs: type)
            throw InvalidParameter(parameter: name ?? "parameters")
        }
    }

    /// Returns the parameter that caused a decoding error; `nil` if it is unknown. The decoder does not
    /// report which number is out of range. Therefore, this function sets the numbers of one parameter after
    /// another to 0, until the error changes.
    private func findUnreadableParameter(decodingAs type: any Decodable.Type) -> String? {
        guard let parameterRanges, parameterRanges.count <= 64 else { return nil }
        var json = parametersJSON
        for (name, range) in parameterRanges.sorted(by: { $0.key < $1.key }) {
            JSONOutline.replaceNumbersWithZero(in: &json, range: range)
            do { _ = try JSONCoding.decode(type, from: json) } catch {
                if InvalidParameter(error) == nil { continue }
            }
            return name
        }
        return nil
    }

    /// Throws for the first parameter that is not in `knownNames`. If a misspelled optional parameter were
    /// ignored, the call could have a larger effect than intended.
    public func rejectParameters(notIn knownNames: Set<String>) throws(InvalidParameter) {
        guard let parameterRanges else { throw InvalidParameter(parameter: "parameters") }
        if let stranger = parameterRanges.keys.filter({ !knownNames.contains($0) }).min() {
            throw InvalidParameter(parameter: stranger)
        }
    }

    /// Throws for the first parameter that exceeds its limit, without decoding the parameter. The limit is in
    /// bytes, and applies to the text of a string and to the JSON of any other value.
    public func rejectParameters(
        longerThan limit: (_ parameter: String) -> Int
    ) throws(OversizedParameter) {
        for (name, range) in (parameterRanges ?? [:]).sorted(by: { $0.key < $1.key }) {
            let most = limit(name)
            guard range.count > most else { continue }
            let isText = parametersJSON[range.lowerBound] == UInt8(ascii: "\"")
            guard isText, hasShortText(in: range.dropFirst().dropLast(), maxByteCount: most) else {
                throw OversizedParameter(parameter: name, limit: most)
            }
        }
    }

    /// Returns whether the text of a JSON string has at most `limit` bytes when decoded. `range`: the string
    /// without its
    /// quotes.
    private func hasShortText(in range: Range<Int>, maxByteCount limit: Int) -> Bool {
        // An escape sequence has at most 6 bytes for each byte of text.
        guard range.count <= limit * 6 else { return false }
        var (size, index) = (0, range.lowerBound)
        while index < range.upperBound, size <= limit {
            if parametersJSON[index] != UInt8(ascii: "\\") {
                (size, index) = (size + 1, index + 1)
            } else if parametersJSON[index + 1] != UInt8(ascii: "u") {
                (size, index) = (size + 1, index + 2)
            } else {
                let unit = codeUnit(at: index + 2)
                // A surrogate pair is encoded as 4 bytes in UTF-8, so each surrogate counts as 2 bytes.
                size += UTF16.isSurrogate(unit) ? 2 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
                index += 6
            }
        }
        return size <= limit
    }

    /// Returns the code unit of an escape sequence, whose digits start at `index`. The message is valid JSON,
    /// so there are four digits.
    private func codeUnit(at index: Int) -> UInt16 {
        UInt16(String(decoding: parametersJSON[index..<index + 4], as: UTF8.self), radix: 16) ?? 0
    }

    /// The number of replies that the client expects.
    public enum Mode: Sendable {
        case once, oneway, more
    }

    /// Returns the encoded call of `method`, including the terminating NUL.
    public static func encode<M: Method>(_ method: M, mode: Mode = .once) throws -> [UInt8] {
        var text = Array("{\"method\":".utf8) + JSONCoding.quoted(M.name)
        switch mode {
        case .once: break
        case .oneway: text += ",\"oneway\":true".utf8
        case .more: text += ",\"more\":true".utf8
        }
        let parameters = try JSONCoding.encode(method)
        if parameters != JSONCoding.emptyObject { text += Array(",\"parameters\":".utf8) + parameters }
        text += "}\0".utf8
        return text
    }
}

/// The error for a parameter that exceeds its size limit.
public struct OversizedParameter: Error, Hashable {
    public let parameter: String
    /// The size limit of the parameter in bytes.
    public let limit: Int
}

/// A method of an interface. The conforming type contains the input parameters.
public protocol Method: Codable, Sendable {
    /// The output parameters of the method.
    associatedtype Reply: Codable & Sendable
    /// The fully qualified name: interface and method.
    static var name: String { get }
}

/// A method that can be retried if its reply was lost: repeated calls with the same key take effect
/// only once.
public protocol RepeatableMethod: Method {
    /// A UUID chosen by the caller.
    var idempotencyKey: String? { get set }
}

extension JSONOutline {
    init(message: [UInt8], inner: String? = nil, depthLimit: Int) throws(MessageError) {
        do { try self.init(of: message, inner: inner, depthLimit: depthLimit) } catch {
            throw error == .tooDeep ? .tooDeep(limit: depthLimit) : .notJSON
        }
    }
}

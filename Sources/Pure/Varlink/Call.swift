/// A call as it came: its header decoded, its parameters still JSON.
public struct Call: Sendable {
    /// Fully qualified.
    public let method: String
    /// No reply is wanted, not even an error.
    public let isOneway: Bool
    /// Several replies are welcome.
    public let wantsMore: Bool
    /// The peer wants to speak another protocol from here on.
    public let wantsUpgrade: Bool
    /// A JSON object; `{}` where the call has none.
    public let parametersJSON: [UInt8]
    /// Where each of them lies in `parametersJSON`; nil where that is no object.
    let parameterRanges: [String: Range<Int>]?

    public init(decoding message: [UInt8], depthLimit: Int = MessageLimits().depth) throws(MessageError) {
        let outline = try JSONOutline(of: message, inner: "parameters", depthLimit: depthLimit)
        do throws(JSONOutline.WrongType) {
            guard let method = try outline.string(of: "method") else {
                throw JSONOutline.WrongType(name: "method")
            }
            self.method = method
            isOneway = try outline.bool(of: "oneway") ?? false
            wantsMore = try outline.bool(of: "more") ?? false
            wantsUpgrade = try outline.bool(of: "upgrade") ?? false
        } catch {
            throw .notACall(reason: "bad \(error.name)")
        }
        let parameters = outline.value(of: "parameters")
        let start = parameters?.startIndex ?? 0
        parametersJSON = parameters.map(Array.init) ?? JSON.emptyObject
        parameterRanges =
            parameters == nil
            ? [:] : outline.inner?.mapValues { $0.lowerBound - start..<$0.upperBound - start }
        guard [isOneway, wantsMore, wantsUpgrade].count(where: \.self) <= 1 else {
            throw .notACall(reason: "at most one of oneway, more and upgrade can be true")
        }
    }

    /// The parameters as `type`; throws `InvalidParameter` naming the one that is missing or does not fit.
    public func parameters<Parameters: Decodable>(
        as type: Parameters.Type
    ) throws(InvalidParameter) -> Parameters {
        do { return try JSON.decode(type, from: parametersJSON) } catch {
            let name = InvalidParameter(error)?.parameter ?? culprit(as: type)
            throw InvalidParameter(parameter: name ?? "parameters")
        }
    }

    /// A number that does not fit its type is an error without a name here: the culprit is the parameter
    /// whose numbers change the error by being 0.
    private func culprit(as type: any Decodable.Type) -> String? {
        guard let parameterRanges, parameterRanges.count <= 64 else { return nil }
        var json = parametersJSON
        for (name, range) in parameterRanges.sorted(by: { $0.key < $1.key }) {
            JSONOutline.zeroNumbers(of: &json, in: range)
            do { _ = try JSON.decode(type, from: json) } catch {
                if InvalidParameter(error) == nil { continue }
            }
            return name
        }
        return nil
    }

    /// Throws `InvalidParameter` for the first parameter that is not among `known`: a misspelt optional
    /// parameter must not widen a call.
    public func refuseParameters(notIn known: Set<String>) throws(InvalidParameter) {
        guard let parameterRanges else { throw InvalidParameter(parameter: "parameters") }
        if let stranger = parameterRanges.keys.filter({ !known.contains($0) }).min() {
            throw InvalidParameter(parameter: stranger)
        }
    }
}

import JSONReading

/// A reply to a call: its parameters, or an error with its parameters.
public struct Reply: Sendable {
    /// The parameters as a JSON object; `{}` if the reply has none.
    public let parametersJSON: [UInt8]
    /// Whether further replies to the same call follow.
    public let continues: Bool
    /// The fully qualified name of the error; `nil` for a successful reply.
    public let error: String?

    public init<Parameters: Encodable>(_ parameters: Parameters, continues: Bool = false) throws {
        self.init(parametersJSON: try JSONCoding.encode(parameters), continues: continues)
    }

    /// Creates an error reply. If the parameters cannot be encoded, the reply contains only the name of the
    /// error.
    public init<Failure: Fault>(fault: Failure) {
        parametersJSON = (try? JSONCoding.encode(fault)) ?? JSONCoding.emptyObject
        continues = false
        error = Failure.name
    }

    /// Creates a successful reply with encoded parameters.
    public init(parametersJSON: [UInt8], continues: Bool = false) {
        self.parametersJSON = parametersJSON
        self.continues = continues
        error = nil
    }

    public init(decoding message: [UInt8], depthLimit: Int = MessageLimits().depth) throws(MessageError) {
        let outline = try JSONOutline(message: message, depthLimit: depthLimit)
        do throws(JSONOutline.WrongType) {
            continues = try outline.parseBool(forKey: "continues") ?? false
            self.error = try outline.parseString(forKey: "error")
        } catch {
            throw .notAReply(reason: "bad \(error.name)")
        }
        parametersJSON = outline.valueJSON(forKey: "parameters").map(Array.init) ?? JSONCoding.emptyObject
    }

    /// The encoded message, including the terminating NUL.
    public var encoded: [UInt8] {
        var text = Array("{".utf8)
        if let error { text += Array("\"error\":".utf8) + JSONCoding.quoted(error) + Array(",".utf8) }
        text += Array("\"parameters\":".utf8) + parametersJSON
        if continues { text += ",\"continues\":true".utf8 }
        text += "}\0".utf8
        return text
    }

    /// Decodes the parameters as `type`. If the reply is an error, throws the error. `faults`: the types of
    /// errors that can be decoded.
    public func decodeParameters<Parameters: Decodable>(
        as type: Parameters.Type, faults: FaultCatalog = FaultCatalog()
    ) throws -> Parameters {
        try JSONCoding.decode(type, from: try checkedParametersJSON(faults: faults))
    }

    /// Returns the parameters as received JSON. If the reply is an error, throws the error. `faults`: the
    /// types of errors that can be decoded.
    public func checkedParametersJSON(faults: FaultCatalog = FaultCatalog()) throws -> [UInt8] {
        if let error { throw faults.makeError(named: error, parametersJSON: parametersJSON) }
        return parametersJSON
    }
}

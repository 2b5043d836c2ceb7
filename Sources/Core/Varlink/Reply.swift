/// A reply to a call: parameters, or an error with its parameters.
public struct Reply: Sendable {
    /// A JSON object; `{}` if the reply has no parameters.
    public let parametersJSON: [UInt8]
    /// More replies to the same call follow.
    public let continues: Bool
    /// Fully qualified name of the error.
    public let error: String?

    public init<Parameters: Encodable>(_ parameters: Parameters, continues: Bool = false) throws {
        self.init(parametersJSON: try JSON.encode(parameters), continues: continues)
    }

    /// If the parameters cannot be encoded, the error is sent without them: its name is still useful.
    public init<Failure: Fault>(fault: Failure) {
        parametersJSON = (try? JSON.encode(fault)) ?? JSON.emptyObject
        continues = false
        error = Failure.name
    }

    /// Creates a successful reply from encoded parameters.
    public init(parametersJSON: [UInt8], continues: Bool = false) {
        self.parametersJSON = parametersJSON
        self.continues = continues
        error = nil
    }

    public init(decoding message: [UInt8], depthLimit: Int = MessageLimits().depth) throws(MessageError) {
        let outline = try JSONOutline(of: message, depthLimit: depthLimit)
        do throws(JSONOutline.WrongType) {
            continues = try outline.bool(of: "continues") ?? false
            self.error = try outline.string(of: "error")
        } catch {
            throw .notAReply(reason: "bad \(error.name)")
        }
        parametersJSON = outline.value(of: "parameters").map(Array.init) ?? JSON.emptyObject
    }

    /// The bytes of the message, including the terminating NUL.
    public var encoded: [UInt8] {
        var text = Array("{".utf8)
        if let error { text += Array("\"error\":".utf8) + JSON.quoted(error) + Array(",".utf8) }
        text += Array("\"parameters\":".utf8) + parametersJSON
        if continues { text += ",\"continues\":true".utf8 }
        text += "}\0".utf8
        return text
    }

    /// Decodes the parameters as `type`, or throws the error as typed by `faults`.
    public func parameters<Parameters: Decodable>(
        as type: Parameters.Type, faults: FaultCatalog = FaultCatalog()
    ) throws -> Parameters {
        try JSON.decode(type, from: try successJSON(faults: faults))
    }

    /// Returns the parameters as sent by the peer, or throws the error as typed by `faults`.
    public func successJSON(faults: FaultCatalog = FaultCatalog()) throws -> [UInt8] {
        if let error { throw faults.error(named: error, parametersJSON: parametersJSON) }
        return parametersJSON
    }
}

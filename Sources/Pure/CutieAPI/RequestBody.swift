/// What a call carries. Holds strings, whole numbers and flags only: those always have a JSON form.
public protocol RequestBody: Codable, Hashable, Sendable {}

extension RequestBody {
    var bytes: [UInt8] {
        do {
            return try JSON.encode(self)
        } catch {
            preconditionFailure("\(Self.self) holds a value that JSON does not know: \(error)")
        }
    }
}

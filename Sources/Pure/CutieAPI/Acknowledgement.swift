/// The answer of a call that says no more than "done": any body will do, none too.
public struct Acknowledgement: Hashable, Sendable, Codable {
    public init() {}
    public init(from decoder: any Decoder) throws {}
}

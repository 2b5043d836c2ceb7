/// A sentence of the daemon's, taken apart: what is wrong and, behind its first semicolon, what to do.
public struct Reason: Hashable, Sendable {
    public let cause: String
    /// nil where the sentence says nothing of it.
    public let advice: String?

    public init(_ sentence: String) {
        let cut = sentence.firstRange(of: "; ")
        cause = String(sentence[..<(cut?.lowerBound ?? sentence.endIndex)])
        advice = cut.map { String(sentence[$0.upperBound...]) }
    }
}

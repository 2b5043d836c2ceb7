import TestSupport

extension Seeded {
    /// Chunks of 0 to 20 bytes.
    mutating func split(_ bytes: [UInt8]) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var position = 0
        while position < bytes.count {
            let end = min(position + Int.random(in: 0...20, using: &self), bytes.count)
            chunks.append(Array(bytes[position..<end]))
            position = end
        }
        return chunks
    }
}

/// The name of a tag, and its color if support staff assigned one.
public struct TagLabel: Hashable, Sendable {
    public var name: String
    public var colour: Colour?

    init(name: String, colour: Colour? = nil) { (self.name, self.colour) = (name, colour) }

    /// An RGB color with eight bits per channel.
    public struct Colour: Hashable, Sendable {
        public var red: UInt8
        public var green: UInt8
        public var blue: UInt8

        /// Parses `#rgb` or `#rrggbb`. Rejects any other string, because the color is inserted into a CSS
        /// style sheet.
        public init?(_ text: String) {
            guard text.utf8.first == UInt8(ascii: "#") else { return nil }
            let digits = text.utf8.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == text.utf8.count - 1 else { return nil }
            switch digits.count {
            case 3: self.init(digits.map { $0 * 17 })
            case 6: self.init([0, 2, 4].map { digits[$0] * 16 + digits[$0 + 1] })
            default: return nil
            }
        }

        private init(_ parts: [Int]) {
            (red, green, blue) = (UInt8(parts[0]), UInt8(parts[1]), UInt8(parts[2]))
        }

        /// The color in the format `#rrggbb`.
        public var text: String {
            "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }

        /// Whether black text on this color is easier to read than white text.
        public var isLight: Bool {
            // The luma according to BT.601, multiplied by 1000.
            Int(red) * 299 + Int(green) * 587 + Int(blue) * 114 > 150_000
        }
    }
}

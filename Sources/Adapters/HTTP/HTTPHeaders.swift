/// An ordered list of header fields. Names are case-insensitive and can occur more than once.
public struct HTTPHeaders: Hashable, Sendable, RandomAccessCollection {
    public struct Field: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field] = []
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }

    public init() {}

    public init(_ pairs: some Sequence<(String, String)>) {
        fields = pairs.map { Field($0, $1) }
    }

    public subscript(position: Int) -> Field { fields[position] }

    /// Returns the value of the first field with this name; `nil` if there is no such field.
    public subscript(_ name: String) -> String? {
        first { $0.name.isSameHeaderName(as: name) }?.value
    }

    /// Returns the values of all fields with this name.
    public func values(of name: String) -> [String] {
        filter { $0.name.isSameHeaderName(as: name) }.map(\.value)
    }

    /// Appends a field, even if a field with the same name exists.
    public mutating func append(name: String, value: String) {
        fields.append(Field(name, value))
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}

extension String {
    /// Returns whether both header names are equal. Compares ASCII bytes, because Unicode comparison is slow.
    fileprivate func isSameHeaderName(as other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    var lowercased: UInt8 { (65...90).contains(self) ? self + 32 : self }
}

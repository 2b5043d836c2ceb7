import Varlink

/// What the server answers at each step, and so what it must be called with at the next.
extension Certification {
    static let scalars = Scalars(bool: false, int: 2, float: .pi, string: "a lot of string")
    static let map = ["foo": "Foo", "bar": "Bar"]
    static let set = ["one": Empty(), "two": Empty(), "three": Empty()]
    static let replies = (1...10).map { "Reply number \($0)" }

    static let myType = MyType(
        object: .object([
            "method": .string("org.varlink.certification.Test09"),
            "parameters": .object(["map": .object(["foo": .string("Foo"), "bar": .string("Bar")])]),
        ]),
        enum: "two",
        struct: .init(first: 1, second: "2"),
        array: ["one", "two", "three"],
        dictionary: map,
        stringset: set,
        nullable: nil,
        nullable_array_struct: nil,
        interface: .init(
            foo: [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            anon: .init(foo: true, bar: false)))
}

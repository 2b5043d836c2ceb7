/// What a protocol lets an app do, in the person's language; one that nobody here knows by its name.
public func protocolWords(_ name: String) -> String {
    switch name {
    case "com.cuti-e.conversations": localized("read conversations with users")
    case "com.cuti-e.replies": localized("answer users in your name")
    case "com.cuti-e.staff": localized("change conversations as support staff do")
    default: name
    }
}

/// Returns the display name of a protocol; an unknown protocol is returned unchanged.
public func protocolLabel(_ name: String) -> String {
    switch name {
    case "com.cuti-e.conversations": localized("read conversations with users")
    case "com.cuti-e.replies": localized("reply to users on your behalf")
    case "com.cuti-e.staff": localized("manage conversations as support staff")
    default: name
    }
}

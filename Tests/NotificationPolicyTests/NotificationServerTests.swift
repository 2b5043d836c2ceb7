import NotificationPolicy
import Testing

@Suite struct `Notification server capabilities` {
    /// Each row contains the name of a server, its capabilities, whether it supports inline replies, and
    /// whether it may hide the reply field.
    @Test(arguments: [
        ("Plasma", ["actions", "inline-reply"], true, false),
        ("SwayNotificationCenter", ["actions", "inline-reply"], true, true),
        ("SwayNotificationCenter", ["actions"], false, true),
        ("dunst", ["actions", "body"], false, false),
    ])
    func `Support for inline replies depends on the capabilities and the name of the server`(
        _ name: String, _ announced: [String], _ hasField: Bool, _ mayHideField: Bool
    ) {
        let server = NotificationServer(
            name: name, vendor: "", version: "", specVersion: "1.2", capabilities: Set(announced))
        #expect(server.acceptsReplies == hasField)
        #expect(server.mayHideReplyField == mayHideField)
        #expect(server.capabilities.contains("actions"))
    }

    @Test(arguments: [("mako", true), ("dunst", false), ("unnamed server", false)])
    func `Only mako uses the stack tag to replace notifications`(_ name: String, _ byTag: Bool) {
        let server = NotificationServer(
            name: name, vendor: "", version: "", specVersion: "", capabilities: [])
        #expect(server.replacesByTag == byTag)
    }
}

import Foundation
import Testing

@testable import Localization

struct ReaderTextTests {
    /// Phrases that fit only users who write feedback.
    private static var ofUsers: Regex<(Substring, Substring?)> {
        #/your feedback|developers|App ID|repl(y|ies)|new feedback|Waiting for you/#
    }
    /// Phrases that fit only support staff.
    private static var ofStaff: Regex<Substring> { #/users?\b|support inbox/# }

    private func texts(for reader: UserRole) -> [(name: String, text: String)] {
        let counted = [0, 1, 2].flatMap { count in
            [
                ("new \(count)", RoleDependentText.newRepliesText(count: count, for: reader)),
                ("unread \(count)", RoleDependentText.unreadText(count: count, for: reader)),
            ]
        }
        return RoleDependentText.allCases.map { ("\($0)", $0.text(for: reader)) } + counted
    }

    @Test func `No message for support staff uses the wording for app users`() {
        for (name, text) in texts(for: .staff) {
            // The phrase "waiting for a reply" also fits staff, so the test removes it.
            let text = text.replacing("waiting for a reply", with: "waiting")
            #expect(!text.isEmpty && text.firstMatch(of: Self.ofUsers) == nil, "\(name): \(text)")
        }
    }

    @Test func `No message for app users uses the wording for support staff`() {
        for (name, text) in texts(for: .user) {
            #expect(!text.isEmpty && text.firstMatch(of: Self.ofStaff) == nil, "\(name): \(text)")
        }
    }

    @Test
    func `No message mentions only one role if the user has both roles`() {
        for (name, text) in texts(for: .both)
        where !name.hasPrefix("waiting") && name != "noConversationChosen" && name != "welcome" {
            let (user, staff) = (text.firstMatch(of: Self.ofUsers), text.firstMatch(of: Self.ofStaff))
            #expect((user == nil) == (staff == nil), "\(name): \(text)")
        }
    }

    @Test
    func `The placeholder of the empty list and the unread count are worded differently for support staff`() {
        #expect(RoleDependentText.emptyList.text(for: .staff) == "Messages from your users appear here.")
        #expect(RoleDependentText.unreadText(count: 2, for: .staff) == "2 unread messages")
        #expect(RoleDependentText.unreadText(count: 2, for: .user) == "2 unread replies")
    }

    /// Files outside `RoleDependentText` that may contain wording for app users: support staff never see the
    /// wording in these files.
    private static let allowed: Set<String> = [
        // Questions and pages about a user's app, and questions that a program asks.
        "Questions.swift", "AccessState.swift", "InboxState+Daemon.swift",
        // The row of a device account, which staff do not have.
        "HomeState.swift",
        // `Language.swift` contains such wording only as an example in a comment.
        "Language.swift",
    ]

    @Test func `Wording for app users occurs only in the file that also defines the wording for staff`()
        throws
    {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let phrases =
            #/localized\(\s*(?:one: )?"[^"]*(?:your feedback|developers of your|unread repl|new repl)[^"]*"/#
        let files = try #require(
            FileManager.default.enumerator(
                at: root.appending(path: "Sources"), includingPropertiesForKeys: nil))
        var read = 0
        for case let file as URL in files where ["swift", "ui"].contains(file.pathExtension) {
            let name = file.lastPathComponent
            guard name != "ReaderText.swift", !Self.allowed.contains(name) else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            read += 1
            #expect(text.firstMatch(of: phrases) == nil, "\(name)")
            if file.pathExtension == "ui" {
                #expect(
                    text.firstMatch(of: #/>[^<]*(your feedback|developers of your|unread repl)[^<]*</#)
                        == nil, "\(name)")
            }
        }
        #expect(read > 300)
    }
}

import AccessAPI
import TestSupport
import Testing
import Varlink

/// Checks that the interface file for apps and its Swift types agree.
struct AccessAgreementTests {
    private static let methods: [any AccessMethod.Type] = [
        AppCode.self, AppInstalled.self, AppOpen.self, AuthorizeProtocols.self, ClearBadge.self,
        Configure.self, CreateConversation.self, GetConversation.self, ListConversations.self,
        MarkRead.self, OpenInbox.self, RevokeToken.self, SendMessage.self, SetAppMetadata.self,
        SetUser.self, Watch.self,
    ]

    private let interface: VarlinkInterface

    init() throws { interface = try VarlinkInterface(parsing: AccessInterface.description) }

    @Test func `The file names the interface`() {
        #expect(interface.name == AccessInterface.name)
        #expect(AccessInterface.name == "io.cutied.Access")
    }

    @Test func `Each method and each error of the file has its type`() {
        #expect(Set(Self.methods.map { $0.name }) == written(interface.methods.map(\.name)))
        #expect(Set(AccessInterface.faults.map { $0.name }) == written(interface.errors.map(\.name)))
    }

    private func written(_ names: [String]) -> Set<String> { Set(names.map { "\(interface.name).\($0)" }) }

    @Test func `Parameters, replies and errors have the fields of the file`() throws {
        let agreement = InterfaceAgreement(interface)
        for method in Self.methods { #expect(try agreement.differences(of: method).isEmpty) }
        for fault in AccessInterface.faults { #expect(try agreement.differences(of: fault).isEmpty) }
    }

    @Test func `The comparison detects a field missing in the file, and one that is wrongly optional`() throws
    {
        let other = try VarlinkInterface(
            parsing: """
                interface io.cutied.Access
                type Conversation (conversationId: string, status: ?string)
                method ListConversations(limit: int) -> (conversations: []Conversation)
                method AppOpen() -> (link: string)
                """)
        let differences = try InterfaceAgreement(other).differences(of: SparseListing.self)
        #expect(
            differences == ["SparseListing.limit can be left out", "Reply has [\"conversations\", \"more\"]"])
        #expect(try InterfaceAgreement(other).differences(of: AppCode.self).count == 1)
    }
}

/// A copy of a declaration above with two mistakes.
private struct SparseListing: Method {
    static let name = "io.cutied.Access.ListConversations"
    var limit: Int?

    struct Reply: Codable, Sendable {
        struct Item: Codable, Sendable {
            var conversationId: String
            var status: String?
        }
        var conversations: [Item]
        var more: Bool?
    }
}

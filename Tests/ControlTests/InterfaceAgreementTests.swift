import ControlAPI
import TestSupport
import Testing
import Varlink

/// Checks that the interface files and the Swift types agree: each message that a file allows is unchanged
/// after decoding and encoding, and the types have no field that the file lacks.
struct InterfaceAgreementTests {
    private static let methods: [any ControlMethod.Type] = [
        AnswerQuestion.self, Attend.self, CancelOutbox.self, ClearBadge.self, ClearUser.self,
        ConfirmLink.self,
        CancelHandOver.self, Consent.self, CreateConversation.self, DeliverPush.self, Explain.self,
        GetAttestation.self,
        GetConversation.self, GetSecretPlace.self, GetStatus.self, GetSubscription.self, GetUser.self,
        HandOverApp.self, LinkStatus.self, LinkedDevices.self, ListApps.self, ListConversations.self,
        ListOutbox.self, ListQuestions.self, MarkRead.self, Notifications.self, Pause.self,
        PushStatus.self, Reconnect.self, RegisterPush.self, Reload.self, RemoveApp.self,
        RemoveDevice.self, RenewAttestation.self, ResetAttestation.self, Resume.self, RetryOutbox.self,
        Search.self, SendMessage.self, SetUser.self, StartLink.self, TakeApp.self, UnregisterPush.self,
        VerifySubscription.self,
        CompleteSignIn.self, GetSession.self, RefreshProfile.self, SignIn.self, SignOut.self,
        Watch.self,
        AddNote.self, AddTag.self, Assign.self, CreateCannedResponse.self, GetStatistics.self,
        ListCannedResponses.self, ListTags.self, RemoveTag.self, UpdateConversation.self,
        UseCannedResponse.self,
        DiscoverServices.self, ForgetService.self, ListGrants.self, ListServices.self, RevokeGrant.self,
    ]

    @Test func `Each file names the interface of its types`() throws {
        for described in ControlSocket.interfaces {
            #expect(try VarlinkInterface(parsing: described.description).name == described.name)
        }
        #expect(ControlInterface.name == "io.cutied.Control")
        #expect(Set(ControlSocket.interfaces.map { $0.name }).count == ControlSocket.interfaces.count)
    }

    @Test func `Each method of the files has its type`() throws {
        #expect(Set(Self.methods.map { $0.name }) == (try written { $0.methods.map(\.name) }))
    }

    @Test func `Each error of the files has its type`() throws {
        for described in ControlSocket.interfaces {
            #expect(described.faults.allSatisfy { $0.name.hasPrefix(described.name + ".") })
        }
        #expect(Set(ControlSocket.faults.map { $0.name }) == (try written { $0.errors.map(\.name) }))
    }

    /// Returns the fully qualified names from all files.
    private func written(_ names: (VarlinkInterface) -> [String]) throws -> Set<String> {
        try Set(
            ControlSocket.interfaces.flatMap { described in
                names(try VarlinkInterface(parsing: described.description)).map { "\(described.name).\($0)" }
            })
    }

    @Test func `Parameters and replies have the fields of the file`() throws {
        for method in Self.methods { #expect(try differences(of: method).isEmpty) }
    }

    @Test func `Errors have the fields of the file`() throws {
        for fault in ControlSocket.faults {
            let fault = try #require(fault as? any ControlFault.Type)
            #expect(try differences(of: fault).isEmpty)
        }
    }

    private func differences<M: ControlMethod>(of method: M.Type) throws -> [String] {
        try InterfaceAgreement(VarlinkInterface(parsing: M.Interface.description)).differences(
            of: method)
    }

    private func differences<F: ControlFault>(of fault: F.Type) throws -> [String] {
        try InterfaceAgreement(VarlinkInterface(parsing: F.Interface.description)).differences(
            of: fault)
    }
}

import ControlAPI
import Foundation
import Testing
import Varlink

/// The interface files and the Swift types say the same: every message that a file allows goes through
/// the types and comes out whole, and the types hold nothing the file does not name.
struct InterfaceAgreementTests {
    private static let methods: [any ControlMethod.Type] = [
        AnswerQuestion.self, Attend.self, CancelOutbox.self, ClearBadge.self, ClearUser.self,
        ConfirmLink.self,
        Consent.self, CreateConversation.self, DeliverPush.self, Explain.self, GetAttestation.self,
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
    ]

    @Test func `Each file names the interface of its types`() throws {
        for described in ControlSocket.interfaces {
            #expect(try Interface(parsing: described.description).name == described.name)
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

    /// Fully qualified names of all files.
    private func written(_ names: (Interface) -> [String]) throws -> Set<String> {
        try Set(
            ControlSocket.interfaces.flatMap { described in
                names(try Interface(parsing: described.description)).map { "\(described.name).\($0)" }
            })
    }

    @Test func `Parameters and replies have the fields of the file`() throws {
        for method in Self.methods { try expectAgreement(of: method) }
    }

    @Test func `Errors have the fields of the file`() throws {
        for fault in ControlSocket.faults { try expectAgreement(of: fault) }
    }

    private func expectAgreement<M: ControlMethod>(of method: M.Type) throws {
        let interface = try Interface(parsing: M.Interface.description)
        let written = try #require(interface.methods.first { M.name == interface.name + "." + $0.name })
        try Agreement(interface).expectAgreement(method, written.input)
        try Agreement(interface).expectAgreement(M.Reply.self, written.output)
    }

    private func expectAgreement<F: ControlFault>(of fault: F.Type) throws {
        let interface = try Interface(parsing: F.Interface.description)
        let written = try #require(interface.errors.first { F.name == interface.name + "." + $0.name })
        try Agreement(interface).expectAgreement(fault, written.parameters)
    }
}

/// Compares types with what one interface writes.
private struct Agreement {
    private let interface: Interface

    init(_ interface: Interface) { self.interface = interface }

    func expectAgreement<Value: Codable>(
        _: Value.Type, _ fields: [TypeExpression.Field]
    ) throws {
        let full = sample(.structure(fields), filled: true)
        let value = try decode(Value.self, full)
        #expect(try object(JSONEncoder().encode(value)) == full as? NSDictionary, "\(Value.self)")
        expectNothingMore(value, fields)
        let sparse = try #require(sample(.structure(fields), filled: false) as? NSDictionary)
        #expect(try object(JSONEncoder().encode(decode(Value.self, sparse))) == sparse, "\(Value.self)")
        for field in fields { try expectRequired(field, in: sparse, of: Value.self) }
    }

    /// Only what the file calls optional may be left out; that may be null, too.
    private func expectRequired<Value: Codable>(
        _ field: TypeExpression.Field, in sparse: NSDictionary, of: Value.Type
    ) throws {
        let changed = try #require(sparse.mutableCopy() as? NSMutableDictionary)
        if case .optional = field.type {
            changed[field.name] = NSNull()
            #expect(throws: Never.self) { try decode(Value.self, changed) }
        } else {
            changed.removeObject(forKey: field.name)
            #expect(throws: DecodingError.self, "\(Value.self).\(field.name)") {
                try decode(Value.self, changed)
            }
        }
    }

    private func expectNothingMore(_ value: Any, _ fields: [TypeExpression.Field]) {
        let children = Array(Mirror(reflecting: value).children)
        #expect(children.compactMap(\.label).sorted() == fields.map(\.name).sorted(), "\(type(of: value))")
        for field in fields {
            guard let child = children.first(where: { $0.label == field.name }) else { continue }
            if let inner = structure(field.type) { expectNothingMore(first(child.value), inner) }
        }
    }

    private func structure(_ type: TypeExpression) -> [TypeExpression.Field]? {
        switch type {
        case .structure(let fields): fields
        case .optional(let inner), .array(let inner): structure(inner)
        case .named(let name): interface.types.first { $0.name == name }.flatMap { structure($0.type) }
        default: nil
        }
    }

    /// What an optional holds, or the first of a list.
    private func first(_ value: Any) -> Any {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional || mirror.displayStyle == .collection else { return value }
        return mirror.children.first.map { first($0.value) } ?? value
    }

    private func sample(_ type: TypeExpression, filled: Bool) -> Any {
        switch type {
        case .bool: return true
        case .int: return 1_763_700_000_123
        case .float: return 1.5
        case .string, .any: return "word"
        case .object: return NSDictionary()
        case .enumeration(let words): return words.last ?? ""
        case .array(let element): return filled ? [sample(element, filled: true)] : []
        case .map(let element): return filled ? ["key": sample(element, filled: true)] : NSDictionary()
        case .optional(let inner): return sample(inner, filled: filled)
        case .named(let name):
            return interface.types.first { $0.name == name }.map { sample($0.type, filled: filled) } ?? ""
        case .structure(let fields):
            let result = NSMutableDictionary()
            for field in fields {
                if case .optional = field.type, !filled { continue }
                result[field.name] = sample(field.type, filled: filled)
            }
            return result
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ json: Any) throws -> Value {
        try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: json))
    }

    private func object(_ data: Data) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: data) as? NSDictionary
    }
}

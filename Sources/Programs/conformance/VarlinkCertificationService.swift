import Varlink
import VarlinkSocket

/// The server's side: every client has to take the steps in their order, with the right arguments.
actor VarlinkCertificationService {
    private static let steps =
        ["Start"] + (1...11).map { $0 < 10 ? "Test0\($0)" : "Test\($0)" } + ["End"]

    private var nextStep: [String: Int] = [:]
    private var lastClient = 0

    private func start() -> Certification.Start.Reply {
        lastClient += 1
        let id = "client-\(lastClient)"
        nextStep[id] = 1
        return .init(client_id: id)
    }

    /// Throws where it is not this call's turn, or where it is not as `wanted`; the client is out then.
    private func check<Call: CertificationCall>(
        _ call: Invocation<Call>, wants wanted: (String) -> Call, oneway: Bool = false
    ) throws {
        let (got, id) = (call.parameters, call.parameters.client_id)
        guard let step = nextStep[id] else { throw Certification.ClientIdError() }
        let expected = wanted(id)
        nextStep[id] = nil
        guard Self.steps[step] == Call.step, got == expected, call.isOneway == oneway else {
            throw Certification.CertificationError(wants: try .init(expected), got: try .init(got))
        }
        if step + 1 < Self.steps.count { nextStep[id] = step + 1 }
    }

    nonisolated func implementation() throws -> Implementation {
        let described = Implementation(interface: try Interface(parsing: Certification.description))
        return structures(scalars(described))
            .onStream(Certification.Test10.self) { call, stream in
                try await self.check(call) { .init(client_id: $0, mytype: Certification.myType) }
                for string in Certification.replies {
                    try await stream.send(
                        .init(string: string), continues: string != Certification.replies.last)
                }
            }
            .on(Certification.Test11.self) { call in
                try await self.check(
                    call, wants: { .init(client_id: $0, last_more_replies: Certification.replies) },
                    oneway: true)
                return .init()
            }
            .on(Certification.End.self) { call in
                try await self.check(call) { .init(client_id: $0) }
                return .init(all_ok: true)
            }
    }
}

extension VarlinkCertificationService {
    private nonisolated func scalars(_ implementation: Implementation) -> Implementation {
        implementation
            .on(Certification.Start.self) { _ in await self.start() }
            .on(Certification.Test01.self) { call in
                try await self.check(call) { .init(client_id: $0) }
                return .init(bool: true)
            }
            .on(Certification.Test02.self) { call in
                try await self.check(call) { .init(client_id: $0, bool: true) }
                return .init(int: 1)
            }
            .on(Certification.Test03.self) { call in
                try await self.check(call) { .init(client_id: $0, int: 1) }
                return .init(float: 1)
            }
            .on(Certification.Test04.self) { call in
                try await self.check(call) { .init(client_id: $0, float: 1) }
                return .init(string: "ping")
            }
            .on(Certification.Test05.self) { call in
                try await self.check(call) { .init(client_id: $0, string: "ping") }
                return Certification.scalars
            }
    }

    private nonisolated func structures(_ implementation: Implementation) -> Implementation {
        implementation
            .on(Certification.Test06.self) { call in
                let wanted = Certification.scalars
                try await self.check(call) {
                    .init(
                        client_id: $0, bool: wanted.bool, int: wanted.int, float: wanted.float,
                        string: wanted.string)
                }
                return .init(struct: wanted)
            }
            .on(Certification.Test07.self) { call in
                try await self.check(call) { .init(client_id: $0, struct: Certification.scalars) }
                return .init(map: Certification.map)
            }
            .on(Certification.Test08.self) { call in
                try await self.check(call) { .init(client_id: $0, map: Certification.map) }
                return .init(set: Certification.set)
            }
            .on(Certification.Test09.self) { call in
                try await self.check(call) { .init(client_id: $0, set: Certification.set) }
                return .init(mytype: Certification.myType)
            }
    }
}

extension JSONValue {
    /// `value` as it would be written.
    fileprivate init(_ value: some Encodable & Sendable) throws {
        self = try Reply(value).parameters(as: JSONValue.self)
    }
}

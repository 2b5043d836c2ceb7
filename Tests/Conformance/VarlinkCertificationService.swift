import Glibc
import JSONReading
import Varlink
import VarlinkSocket

/// The certification server. Checks that each client calls the methods in order with the expected parameters.
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

    /// Checks that a call is the next step and has the expected parameters. Removes the client if the call is
    /// wrong or is the last step.
    ///
    /// - Throws: `ClientIdError` for an unknown client, `CertificationError` for a wrong call.
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

    nonisolated func implementation() -> Implementation {
        structures(scalars(Implementation()))
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
    fileprivate init(_ value: some Encodable & Sendable) throws {
        self = try Reply(value).decodeParameters(as: JSONValue.self)
    }
}

/// The certification client. Passes the reply of each method to the next method.
struct VarlinkCertificationClient {
    let path: String

    func run() async throws {
        let faults = FaultCatalog([Certification.ClientIdError.self, Certification.CertificationError.self])
        let client = try await Client(path: path, faults: faults)
        let id = try await client.call(Certification.Start()).client_id
        let type = try await types(client, id)
        var replies: [String] = []
        for try await reply in try await client.stream(Certification.Test10(client_id: id, mytype: type)) {
            replies.append(try reply.value.string)
        }
        try await client.send(oneway: Certification.Test11(client_id: id, last_more_replies: replies))
        guard try await client.call(Certification.End(client_id: id)).all_ok else { throw NotAllOK() }
        print("certification passed")
        flushStandardOutput()
    }

    /// Calls the methods that cover all Varlink types.
    private func types(_ client: Client, _ id: String) async throws -> Certification.MyType {
        let one = try await client.call(Certification.Test01(client_id: id))
        let two = try await client.call(Certification.Test02(client_id: id, bool: one.bool))
        let three = try await client.call(Certification.Test03(client_id: id, int: two.int))
        let four = try await client.call(Certification.Test04(client_id: id, float: three.float))
        let five = try await client.call(Certification.Test05(client_id: id, string: four.string))
        let six = try await client.call(
            Certification.Test06(
                client_id: id, bool: five.bool, int: five.int, float: five.float, string: five.string))
        let seven = try await client.call(Certification.Test07(client_id: id, struct: six.struct))
        let eight = try await client.call(Certification.Test08(client_id: id, map: seven.map))
        return try await client.call(Certification.Test09(client_id: id, set: eight.set)).mytype
    }
}

private struct NotAllOK: Error, CustomStringConvertible {
    let description = "the server is not content with the calls"
}

/// Flushes standard output, which is buffered if it is a pipe.
func flushStandardOutput() {
    fflush(nil)
}

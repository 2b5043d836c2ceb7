import Glibc
import Varlink
import VarlinkSocket

/// The client's side: takes every step, each with what the step before answered.
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

    /// Every type of the language, there and back.
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

/// A reader of a pipe sees nothing of a line that stays in the buffer.
func flushStandardOutput() {
    fflush(nil)
}

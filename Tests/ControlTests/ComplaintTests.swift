import ControlAPI
import Testing

@testable import Control

struct ComplaintTests {
    static let faults: [(any ControlFault, Int32)] = [
        (NotFound(what: "conversation", id: "conv_9"), 66),
        (Ambiguous(id: "conv_1", accounts: ["work", "home"]), 65),
        (InvalidArgument(parameter: "category", reason: "there is no such one"), 65),
        (NotAuthorized(reason: "the token was refused twice"), 77),
        (Offline(reason: "no route to host"), 69),
        (NotOffered(reason: "the server answered 404"), 1),
        (ServerError(status: 500, reason: "the server answered 500"), 69),
        (InvalidResponse(reason: "it is no JSON"), 76),
        (NotConfigured(reason: "no App ID is configured"), 78),
        (InvalidConfiguration(reason: "config.yaml:3: app_id: is empty"), 78),
        (NotSent(outboxId: "7", reason: "the server answered 413"), 1),
        (Failed(reason: "the disk is full"), 1),
    ]

    @Test func `Each error of the daemon has its exit code`() {
        for (fault, code) in Self.faults { #expect(Complaint(fault).status.rawValue == code, "\(fault)") }
        #expect(Self.faults.count == ControlInterface.faults.count)
    }

    @Test func `A complaint says what is wrong and what to do`() {
        #expect(
            Complaint(NotFound(what: "conversation", id: "conv_9")).line
                == "cutied: there is no conversation conv_9 here; `cutied ctl inbox` lists the conversations")
        #expect(
            Complaint(Ambiguous(id: "conv_1", accounts: ["work", "home"])).line
                == "cutied: conv_1 is in several accounts; add --account (work, home)")
    }

    @Test func `Words that the API refuses are not lost, and the complaint says where they are`() {
        #expect(
            Complaint(NotSent(outboxId: "7", reason: "the server answered 413")).line
                == "cutied: not sent: the server answered 413; your words are kept: "
                + "`cutied ctl outbox retry 7`, or `cancel`")
    }

    @Test func `A failure is advised once`() {
        #expect(
            Complaint(Failed(reason: "this machine shows no TPM 2.0; set `attestation: software`")).line
                == "cutied: this machine shows no TPM 2.0; set `attestation: software`")
        #expect(Complaint(Failed(reason: "the disk is full")).line.contains("; `journalctl --user"))
    }

    @Test func `A complaint is one harmless line`() {
        #expect(Complaint(.failed, "bad\n\u{1B}[2J", advice: "x").line == "cutied: bad ␛[2J; x")
    }
}

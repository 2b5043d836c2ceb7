import ControlAPI
import Localization
import Reasons
import Testing
import Varlink

@testable import Control

struct CommandErrorTests {
    static let faults: [(any ControlFault, Int32)] = [
        (NotFound(what: "conversation", id: "conv_9"), 66),
        (Ambiguous(id: "conv_1", accounts: ["work", "home"]), 65),
        (Closed(conversation: "conv_9", status: "resolved"), 65),
        (InvalidArgument(parameter: "category", reason: "there is no such one"), 65),
        (NotAuthorized(reason: "the token was refused twice"), 77),
        (Offline(reason: "no route to host"), 69),
        (NotOffered(reason: "the server returned 404"), 1),
        (ServerError(status: 500, reason: "the server returned 500"), 69),
        (InvalidResponse(reason: "it is no JSON"), 76),
        (NotConfigured(reason: "no App ID is configured"), 78),
        (InvalidConfiguration(reason: "config.yaml:3: app_id: is empty"), 78),
        (NotSent(outboxId: "7", cause: .refused, reason: "the server returned 413"), 1),
        (Refused(status: 409, reason: "the server returned 409"), 1),
        (Failed(reason: "the disk is full"), 1),
        (SignInRequired(reason: "you are not signed in; run `cutied ctl signin`"), 77),
        (AccessDenied(reason: "the sign-in was denied on the sign-in page"), 77),
        (CodeExpired(reason: "the time to sign in is over"), 1),
        (InsufficientScope(scope: "tags:write", reason: "the sign-in lacks the scope tags:write"), 77),
        (PresenceRequired(reason: "nobody confirmed"), 77),
        (NotStaff(account: "default"), 64),
    ]

    @Test func `Each error from the daemon has a defined exit code`() {
        for (fault, code) in Self.faults { #expect(CommandError(fault).status.rawValue == code, "\(fault)") }
        #expect(Self.faults.count == ControlSocket.faults.count)
    }

    @Test func `With --json, an error is printed as one JSON object`() {
        let fault = CommandError(NotFound(what: "conversation", id: "conv_9\n"))
        #expect(
            ErrorObject(fault).line
                == #"{"advice":"`cutied ctl inbox` lists the conversations","code":"notFound","exitCode":66,"#
                + #""message":"the conversation conv_9\n is not stored on this computer","reasonArguments":{"name":"conv_9\n"},"#
                + #""reasonCode":"conversation_not_found"}"#)
        #expect(ErrorObject("x", exitCode: 64).line == #"{"code":"usage","exitCode":64,"message":"x"}"#)
        let names = Self.faults.map { CommandError($0.0).status.name }
        let known: Set = [
            "failed", "usage", "badData", "notFound", "unreachable", "invalidResponse", "notAuthorized",
            "configuration",
        ]
        #expect(Set(names) == known)
    }

    @Test func `The reason code of an error in JSON is the code of its cause, not of the enclosing error`()
        throws
    {
        let reason = Reason(.hostUnreachable, ["host": "api.example", "detail": ""])
        let fault = Offline(reason: reason.english).withReasonFields(of: reason)
        let line = ErrorObject(CommandError(fault)).line
        #expect(line.contains(#""reasonCode":"host_unreachable""#), "\(line)")
        #expect(line.contains(#""host":"api.example""#), "\(line)")
        #expect(line.contains("the service cannot be reached: api.example cannot be reached"), "\(line)")
    }

    @Test func `The text of an error contains the problem and the solution`() {
        #expect(
            CommandError(NotFound(what: "conversation", id: "conv_9")).line
                == "cutied: the conversation conv_9 is not stored on this computer; `cutied ctl inbox` lists the conversations"
        )
        #expect(
            CommandError(NotFound(what: "conversation", id: "")).line
                == "cutied: the argument for the conversation is empty; `cutied ctl inbox` lists the conversations"
        )
        #expect(
            CommandError(Ambiguous(id: "conv_1", accounts: ["work", "home"])).line
                == "cutied: conv_1 exists in several accounts; choose one of these accounts with --account: work, home"
        )
        #expect(
            CommandError(Ambiguous(id: "m1", accounts: ["work"], conversations: ["c", "d"])).line
                == "cutied: message m1 exists in several conversations; add --conversation (c, d)")
        #expect(
            CommandError(NotFound(what: "service", id: "Desk")).line
                == "cutied: there is no service Desk here; `cutied ctl service` lists the known services")
        #expect(
            CommandError(InvalidArgument(parameter: "services", reason: "Desk is not one of the choices"))
                .line
                == "cutied: Desk is not one of the choices; `cutied ctl questions` lists the choices")
        #expect(
            CommandError(InvalidArgument(parameter: "userName", reason: "too long")).line
                == "cutied: invalid --name: too long")
        #expect(
            CommandError(InvalidArgument(parameter: "account", reason: "there are several accounts: a, b"))
                .line
                == "cutied: there are several accounts: a, b; add --account NAME")
    }

    @Test func `Errors of ctl refer to parameters by their command-line names, not in camelCase`() throws {
        let internalNames: Set = ["idempotencyKey", "dryRun"]
        for interface in ControlSocket.interfaces {
            for method in try VarlinkInterface(parsing: interface.description).methods {
                for parameter in method.input.map(\.name) where !internalNames.contains(parameter) {
                    let argument = commandLineArgument(forParameter: parameter)
                    #expect(
                        argument != parameter || !parameter.contains(where: \.isUppercase),
                        "\(method.name).\(parameter)")
                }
            }
        }
    }

    @Test func `The error for a reply to an ended conversation names the option that sends the reply anyway`()
    {
        #expect(
            CommandError(Closed(conversation: "conv_9", status: "resolved")).line
                == "cutied: conv_9 is resolved; nothing was sent; "
                + "`cutied ctl reply --reopen` sends the message anyway")
    }

    @Test func `An error suggests the setup command only if the setup can solve the problem`() {
        let off = Reason(.attestationOff)
        #expect(
            CommandError(NotConfigured(reason: "").withReasonFields(of: off)).line == "cutied: " + off.english
        )
        #expect(
            CommandError(NotConfigured(reason: "no App ID is configured")).line
                == "cutied: no App ID is configured; run `cutied setup`")
    }

    @Test func `A message that the API refuses is saved, and the error names the command that resends it`() {
        #expect(
            CommandError(NotSent(outboxId: "7", cause: .refused, reason: "the server returned 413")).line
                == "cutied: not sent: the server returned 413; your message is saved; "
                + "run `cutied ctl outbox retry 7` to send the message, or `cutied ctl outbox cancel 7` to discard it"
        )
    }

    @Test(arguments: [(NotSent.Cause.refused, Int32(1)), (.notAuthorized, 77), (.notFound, 66)])
    func `The exit code depends on why a message was refused`(
        _ cause: NotSent.Cause, _ code: Int32
    ) {
        let fault = NotSent(outboxId: "7", cause: cause, reason: "no")
        #expect(CommandError(fault).status.rawValue == code)
    }

    @Test(arguments: [301, 400, 402, 409, 410, 413, 418, 422, 200])
    func `The error for a refused message contains a solution and does not mention the journal`(_ status: Int)
    {
        let line = CommandError(Refused(status: status, code: "c", reason: "the server returned x: no (c)"))
            .line
        #expect(line.hasPrefix("cutied: the service refused the request: the server returned x: no (c); "))
        #expect(!line.contains("journal"))
    }

    @Test func `The message for a permanent server error does not suggest a retry`() {
        let line = CommandError(ServerError(status: 413, reason: "the server returned 413")).line
        #expect(!line.contains("later") && line.contains("make it shorter"))
        for status in [403, 409, 418] {
            let line = CommandError(ServerError(status: status, reason: "no")).line
            #expect(!line.contains("later"), "\(line)")
        }
        #expect(CommandError(ServerError(status: 503, reason: "no")).line.hasSuffix("try again later"))
    }

    @Test func `The error for a rejected configuration states only once what must be corrected`() {
        let reason = Reason(.fileUnreadable, ["path": "/gone", "detail": ""])
        #expect(
            CommandError(InvalidConfiguration(reason: "").withReasonFields(of: reason)).line
                == "cutied: the configuration was not accepted: \(reason.english); then reload again; "
                + "the previous config remains in effect")
        #expect(
            CommandError(InvalidConfiguration(reason: "config.yaml:3: app_id: is empty")).line
                == "cutied: the configuration was not accepted: config.yaml:3: app_id: is empty; "
                + "correct it and reload again; the previous config remains in effect")
    }

    @Test func `The text of an error contains at most one suggestion`() {
        #expect(
            CommandError(Failed(reason: "").withReasonFields(of: Reason(.tpmMissing))).line
                == "cutied: this computer has no TPM 2.0; set `attestation: software`")
        #expect(
            CommandError(Failed(reason: "the disk is full")).line
                .contains("; run `cutied doctor` to find the cause"))
    }

    @Test func `The text of an error is one line without control characters`() {
        #expect(CommandError(.failed, "bad\n\u{1B}[2J", advice: "x").line == "cutied: bad ␛[2J; x")
    }
}

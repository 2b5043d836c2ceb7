import ControlAPI
import Logging
import Varlink
import VarlinkSocket

extension ControlService {
    /// Each method of the interface and what answers it.
    func implementation() throws -> Implementation {
        let interface = try Interface(parsing: ControlInterface.description)
        return Implementation(interface: interface, admitting: { try ControlInterface.checkLimits(of: $0) })
            .on(GetStatus.self) { [self] _ in try await status() }
            .on(ClearBadge.self) { [self] in try await clearBadge($0.parameters) }
            .on(ListConversations.self) { [self] in try await listConversations($0.parameters) }
            .on(GetConversation.self) { [self] in try await getConversation($0.parameters) }
            .on(CreateConversation.self) { [self] in try await createConversation($0.parameters) }
            .on(SendMessage.self) { [self] in try await sendMessage($0.parameters) }
            .on(MarkRead.self) { [self] in try await markRead($0.parameters) }
            .on(Search.self) { [self] in try await search($0.parameters) }
            .onStream(Watch.self) { [self] call, replies in
                try await watch(call.parameters) { try await replies.send($0) }
            }
            .on(Pause.self) { [self] in try await pause($0.parameters) }
            .on(Resume.self) { [self] _ in try await resume() }
            .on(Notifications.self) { [self] in try await notifications($0.parameters) }
            .on(Explain.self) { [self] in try await explain($0.parameters) }
            .on(ListOutbox.self) { [self] in try await listOutbox($0.parameters) }
            .on(RetryOutbox.self) { [self] in try await retryOutbox($0.parameters) }
            .on(CancelOutbox.self) { [self] in try await cancelOutbox($0.parameters) }
            .on(GetUser.self) { [self] in try await user($0.parameters) }
            .on(SetUser.self) { [self] in try await setUser($0.parameters) }
            .on(ClearUser.self) { [self] in try await clearUser($0.parameters) }
            .on(GetAttestation.self) { [self] in try await attestation($0.parameters) }
            .on(RenewAttestation.self) { [self] in try await renewAttestation($0.parameters) }
            .on(ResetAttestation.self) { [self] in try await resetAttestation($0.parameters) }
            .on(GetSecretPlace.self) { [self] _ in await secretPlace() }
            .onStream(StartLink.self) { [self] call, replies in
                try await startLink(call.parameters) { try await replies.send($0, continues: !$1) }
            }
            .on(ConfirmLink.self) { [self] in try await confirmLink($0.parameters) }
            .on(LinkStatus.self) { [self] in try await linkStatus($0.parameters) }
            .on(LinkedDevices.self) { [self] in try await linkedDevices($0.parameters) }
            .on(RemoveDevice.self) { [self] in try await removeDevice($0.parameters) }
            .on(RegisterPush.self) { [self] in try await registerPush($0.parameters) }
            .on(UnregisterPush.self) { [self] in try await unregisterPush($0.parameters) }
            .on(PushStatus.self) { [self] in try await pushStatus($0.parameters) }
            .on(DeliverPush.self) { [self] in try await deliverPush($0.parameters) }
            .on(GetSubscription.self) { [self] in try await subscription($0.parameters) }
            .on(VerifySubscription.self) { [self] in try await verifySubscription($0.parameters) }
            .on(ListQuestions.self) { [self] _ in try await listQuestions() }
            .on(AnswerQuestion.self) { [self] in try await answerQuestion($0.parameters) }
            .on(Consent.self) { [self] in try await consent($0.parameters) }
            .on(HandOverApp.self) { [self] in try await handOverApp($0.parameters) }
            .on(TakeApp.self) { [self] in try await takeApp($0.parameters) }
            .on(ListApps.self) { [self] _ in try await listApps() }
            .on(RemoveApp.self) { [self] in try await removeApp($0.parameters) }
            .on(Reload.self) { [self] _ in try await reload() }
            .on(Reconnect.self) { [self] in try await reconnect($0.parameters) }
    }

    /// The socket that people and scripts of this user talk to.
    func server(on listener: consuming ListeningSocket, logger: Logger) throws -> Server {
        try Server(
            listener: listener,
            information: .init(
                vendor: "cutied", product: Product.name, version: Product.version,
                url: "https://github.com/cutied/cutied"),
            implementations: [implementation()],
            fault: { error in
                if error is CancellationError { return Failed(reason: "it was broken off; try again") }
                logger.error("a call failed", metadata: ["reason": "\(error)"])
                return Failed(reason: "\(error)")
            },
            notice: { logger.notice("control socket", metadata: ["event": "\($0)"]) })
    }
}

import CutieAPI
import Hummingbird

/// Which path is answered by whom.
struct Routes: Sendable {
    let options: SandboxOptions
    let archive: Archive

    func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: RefusalMiddleware())
        let gate = Gate(options)
        router.add(middleware: NewcomerMiddleware(archive: archive, gate: gate))
        if gate.has(.register) { DeviceRoutes(archive: archive, gate: gate).add(to: router) }
        if gate.has(.attestation) { AttestationRoutes(archive: archive, gate: gate).add(to: router) }
        ConversationRoutes(archive: archive, gate: gate).add(to: router)
        MessageRoutes(archive: archive, gate: gate).add(to: router)
        EventRoutes(archive: archive, gate: gate, options: options).add(to: router)
        LinkRoutes(archive: archive, gate: gate).add(to: router)
        PushRoutes(archive: archive, gate: gate).add(to: router)
        if gate.has(.subscription) { UsageRoutes(archive: archive, gate: gate).add(to: router) }
        FeedbackAppRoutes(archive: archive, gate: gate).add(to: router)
        FateRoutes(archive: archive, gate: gate).add(to: router)
        SandboxRoutes(archive: archive, gate: gate).add(to: router)
        TagRoutes(archive: archive, gate: gate).add(to: router)
        CannedResponseRoutes(archive: archive, gate: gate).add(to: router)
        AnalyticsRoutes(archive: archive, gate: gate).add(to: router)
        CredentialRoutes(archive: archive, gate: gate).add(to: router)
        AdminRoutes(archive: archive).add(to: router)
        return router
    }
}

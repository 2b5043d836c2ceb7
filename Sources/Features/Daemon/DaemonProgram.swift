import Access
import Accounts
import Config
import EventLog
import Notifications
import Store
import Systemd

/// The daemon: creates and connects its parts.
public final class DaemonProgram {
    let manager = ServiceManager()
    let reporter: ServiceStatusReporter
    let core: DaemonCore
    let desktop: DesktopServices
    let accountServices: AccountServices
    let hook: ReplyHook
    let permission: Permission
    let consentQuestion: ConsentQuestion
    let signInNotice: SignInNotice
    let access: AccessProvider
    /// Whether the access socket accepts calls.
    var offersAccess = true

    init(
        _ accounts: [AccountConfiguration], _ settings: Settings, source: ConfigurationSource,
        store: MessageStore,
        threshold: LogThreshold
    ) throws {
        core = try DaemonCore(
            secrets: settings.secrets, source: source, store: store, threshold: threshold)
        desktop = try DesktopServices(on: core)
        let (ingest, units, questions) = (core.ingest, core.accounts, desktop.questions)
        let (surroundings, logger) = (core.surroundings, core.logger)
        accountServices = AccountServices(
            on: core, onPendingReplies: { [desktop] in desktop.attention.reevaluate() })
        access = AccessProvider(
            ingest: ingest, accounts: units, questions: questions, secrets: core.machine.secrets,
            httpClient: core.httpClient, surroundings: surroundings, logger: logger)
        hook = ReplyHook(
            ingest: ingest, accounts: units,
            caller: HookCaller(environment: core.environment, logger: logger),
            policy: { [desktop] in desktop.attention.policy })
        permission = Permission(store: store, questions: questions, attention: desktop.attention)
        consentQuestion = ConsentQuestion(
            accountServices.consent, ingest: ingest, questions: questions, accounts: units,
            surroundings: surroundings)
        signInNotice = SignInNotice(
            accounts: units, screen: desktop.screen, attention: desktop.attention, surroundings: surroundings)
        reporter = ServiceStatusReporter(
            ingest: ingest, accounts: units, manager: manager, surroundings: surroundings)
        connectQuestions()
        // A session has begun, which may have another language or provide a keyring.
        desktop.screen.onAdoption = { [language = core.language, mover = accountServices.secretMover] in
            await language.follow()
            mover.checkPlace()
        }
        apply(settings)
        try permission.askAtFirstStart()
        try accountServices.apply(accounts)
    }

    /// Sets the effect of the user's answer for each kind of question.
    private func connectQuestions() {
        desktop.questions.effects = [
            .permission: { [permission] _, allow in
                try permission.answer(allow: allow)
                return nil
            },
            .consent: { [consent = accountServices.consent] _, allow in
                try consent.set(allow)
                return nil
            },
            .app: { [handOver = accountServices.handOver] question, allow in
                guard allow, case .app(let token, _, let account, let api) = question else { return nil }
                return try await handOver.redeem(token, at: account, api: api)
            },
        ]
    }
}

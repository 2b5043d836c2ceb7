import Access
import Accounts
import Config
import EventLog
import Notifications
import Store
import Systemd

/// Creates and connects the parts of the daemon.
public final class DaemonProgram {
    let manager = ServiceManager()
    let reporter: ServiceStatusReporter
    let core: DaemonCore
    let desktop: DesktopServices
    let accountServices: AccountServices
    let hook: ReplyHook
    let permission: PermissionQuestion
    let consentQuestion: ConsentQuestion
    let signInNotice: SignInNotice
    let access: AccessProvider
    /// Whether the access socket accepts calls.
    var offersAccess = true

    init(
        accounts: [AccountConfiguration], settings: Settings, source: ConfigurationSource,
        store: MessageStore,
        threshold: LogThreshold
    ) throws {
        core = try DaemonCore(
            secrets: settings.secrets, source: source, store: store, threshold: threshold)
        accountServices = AccountServices(
            on: core,
            onPendingReplies: { [core] in core.replies.notificationController.requestReevaluation() })
        desktop = try DesktopServices(on: core, accountServices: accountServices)
        let (ingest, units, questions) = (core.ingest, core.accounts, desktop.questions)
        let (runtime, logger) = (core.runtime, core.logger)
        access = AccessProvider(
            ingest: ingest, accounts: units, questions: questions, secrets: core.machine.secrets,
            httpClient: core.httpClient, runtime: runtime, logger: logger)
        hook = ReplyHook(
            ingest: ingest, accounts: units,
            caller: HookCaller(environment: core.environment, logger: logger),
            policy: { [desktop] in desktop.notificationController.policy })
        permission = PermissionQuestion(
            store: store, questions: questions, notificationController: desktop.notificationController)
        consentQuestion = ConsentQuestion(
            accountServices.consent, ingest: ingest, questions: questions, accounts: units,
            runtime: runtime)
        signInNotice = SignInNotice(
            accounts: units, screen: desktop.screen, notificationController: desktop.notificationController,
            runtime: runtime)
        reporter = ServiceStatusReporter(
            ingest: ingest, accounts: units, manager: manager, runtime: runtime)
        applySettings(settings)
        try permission.askAtFirstStart()
        try accountServices.applyAccounts(accounts)
    }
}

import Config
import Platform
import Store

/// The daemon, put together: who is there and who knows whom.
public final class DaemonProgram {
    let manager = ServiceManager()
    let core: DaemonCore
    let desktop: DesktopServices
    let secretMover: SecretMover
    let hook: ReplyHook
    let keeper: AccountKeeper
    let permission: Permission
    let consent: ConsentKeeper
    let added: AddedAccounts
    let handOver: HandOver

    init(_ configuration: Configuration, source: ConfigurationSource, store: Store, threshold: LogThreshold)
        throws
    {
        core = try DaemonCore(configuration, source: source, store: store, threshold: threshold)
        desktop = try DesktopServices(configuration, on: core)
        let (ingest, accounts, questions) = (core.ingest, core.accounts, desktop.questions)
        let (surroundings, logger) = (core.surroundings, core.logger)
        secretMover = SecretMover(
            core.machine.secrets, choice: configuration.secrets, ingest: ingest, surroundings: surroundings,
            logger: logger)
        hook = ReplyHook(
            command: configuration.hooks.onReply, ingest: ingest, accounts: accounts,
            caller: HookCaller(environment: core.environment, logger: logger),
            policy: { [desktop] in desktop.announcer.policy })
        keeper = AccountKeeper(
            accounts: accounts, ingest: ingest, transport: core.transport, machine: core.machine,
            surroundings: surroundings, logger: logger,
            onNews: { [desktop] in desktop.announcer.reconsider() })
        permission = Permission(store: store, questions: questions, switches: desktop.switches)
        consent = ConsentKeeper(
            ingest: ingest, questions: questions, accounts: accounts, surroundings: surroundings)
        added = AddedAccounts(store: store, logger: logger)
        handOver = HandOver(
            accounts: accounts, added: added, transport: core.transport, surroundings: surroundings,
            apply: { [keeper] in try keeper.apply($0) })
        connectQuestions()
        try permission.askAtFirstStart()
        try take(configuration.accounts)
    }

    /// What an answer of the person does.
    private func connectQuestions() {
        desktop.questions.effects = [
            .permission: { [permission] _, allow in
                try permission.settle(allow: allow)
                return nil
            },
            .consent: { [consent] _, allow in
                try consent.set(allow)
                return nil
            },
            .app: { [handOver] question, allow in
                guard allow, case .app(let token, let account) = question else { return nil }
                return try await handOver.take(token, at: account)
            },
        ]
    }
}

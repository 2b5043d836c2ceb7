import Config
import ControlAPI
import HTTP
import Logging
import Platform
import Store

/// What everything else in the daemon stands on: the log and its writer, the accounts, the network, the machine.
struct DaemonCore {
    let source: ConfigurationSource
    let threshold: LogThreshold
    let logger = Logger(label: Product.name)
    let surroundings = Surroundings.real
    let store: Store
    let housekeeping: Housekeeping
    let ingest: Ingest
    let accounts: Accounts
    let transport: Transport
    let machine: Machine

    init(_ configuration: Configuration, source: ConfigurationSource, store: Store, threshold: LogThreshold)
        throws
    {
        (self.source, self.threshold, self.store) = (source, threshold, store)
        let clocks = ServerClocks(surroundings)
        housekeeping = Housekeeping(
            store: store, clocks: clocks, days: configuration.history.days, surroundings: surroundings,
            logger: logger)
        ingest = try Ingest(
            store: store, clocks: clocks, surroundings: surroundings,
            oldestNews: { [housekeeping] in housekeeping.oldestNews(of: $0) })
        housekeeping.isOpen = { [ingest] in ingest.isOpen($0) }
        accounts = Accounts(store: store)
        transport = Transport(userAgent: "\(Product.name)/\(Product.version)")
        machine = try Machine(
            secrets: configuration.secrets, directory: source.paths.stateDirectory,
            environment: source.options.environment)
    }

    var environment: [String: String] { source.options.environment }
}

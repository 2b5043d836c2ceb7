import HTTP
import Logging

/// What all accounts share and each is made with.
struct AccountDependencies {
    let ingest: Ingest
    let transport: Transport
    let machine: Machine
    let outcomes: Outcomes
    let surroundings: Surroundings
    let logger: Logger
    /// Called when there may be something to announce: a first sync is complete, a message was not sent.
    let onNews: () -> Void
}

import Logging
import Store

/// Runs `body` again after the store could not be used: a full disk may have room later, a lock may go.
/// What was not written was not taken either: it comes again from the API.
func enduring(
    _ what: String, _ surroundings: Surroundings, _ logger: Logger, _ body: () async throws -> Void
) async throws {
    while true {
        do {
            return try await body()
        } catch let error as StoreError {
            logger.error("the store fails; trying again", metadata: ["in": "\(what)", "reason": "\(error)"])
            try await surroundings.sleep(.seconds(5))
        }
    }
}

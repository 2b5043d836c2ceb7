import ControlAPI
import CutieAPI

extension ControlService {
    /// A verb whose call of the API does not wait in the outbox is told after so long that it is offline.
    static let answerLimit: Duration = .seconds(15)

    /// Calls the API for a person who waits. `absent`: what it means that the API does not have it.
    func ask<Answer>(
        _ endpoint: Endpoint<Answer>, as unit: AccountUnit,
        absent: (String) -> any ControlFault = { NotOffered(reason: $0) }
    ) async throws -> Answer {
        do {
            let answer = try await surroundings.within(Self.answerLimit) { [client = unit.feed.client] in
                try await client.send(endpoint)
            }
            guard let answer else { throw Offline(reason: "it does not answer") }
            return answer
        } catch APIFailure.absent(let reason) {
            throw absent(reason)
        } catch let failure as APIFailure {
            throw failure.fault(about: nil)
        }
    }
}

/// A semaphore that limits the number of concurrent households, because more of them would slow each other
/// down.
actor Street {
    static let shared = Street(houses: 3)
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(houses: Int) { free = houses }

    func enter() async throws {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

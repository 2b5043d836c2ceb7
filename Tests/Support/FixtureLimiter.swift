/// A semaphore that limits the number of concurrent fixtures. Too many fixtures would slow each other down.
actor FixtureLimiter {
    static let shared = FixtureLimiter(limit: 3)
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(limit: Int) { free = limit }

    func acquire() async throws {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func release() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

/// Something with a life of its own. It ends when it is cancelled.
struct Job {
    let name: String
    let body: @MainActor () async throws -> Void

    init(_ name: String, _ body: @escaping @MainActor () async throws -> Void) {
        self.name = name
        self.body = body
    }
}

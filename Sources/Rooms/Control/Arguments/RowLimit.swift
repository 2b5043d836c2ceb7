import ArgumentParser

/// How many rows of a list are wanted: at least one.
struct RowLimit: Hashable, Sendable, ExpressibleByArgument {
    var count: Int

    init?(argument: String) {
        guard let count = Int(argument), count > 0 else { return nil }
        self.count = count
    }
}

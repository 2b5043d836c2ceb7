/// Which counters of a key were used. Requests overtake each other, so the last few may come in any order,
/// but each comes once.
public struct CounterWindow: Hashable, Sendable {
    /// The highest counter so far; 0 before the first.
    public private(set) var highest: UInt64
    /// Bit n: the counter `highest - n` was used.
    public private(set) var used: UInt64

    public init(highest: UInt64 = 0, used: UInt64 = 1) {
        self.highest = highest
        self.used = used
    }

    /// Whether `counter` comes for the first time and is not older than the window; it counts as used then.
    public mutating func accept(_ counter: UInt64) -> Bool {
        if counter > highest {
            let step = counter - highest
            used = step < 64 ? used << step | 1 : 1
            highest = counter
            return true
        }
        let age = highest - counter
        guard age < 64, used & (1 << age) == 0 else { return false }
        used |= 1 << age
        return true
    }
}

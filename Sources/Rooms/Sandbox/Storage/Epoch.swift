import CutieAPI

/// The life of a database. Event ids carry it, so that an id from another life is not taken for one of
/// this: it leads to a reset. Later lives have greater ids.
struct Epoch: RawRepresentable, Sendable {
    let rawValue: String

    /// A new one: the moment in milliseconds and a few random digits.
    static func begin() -> String {
        let moment = Secret.hexadecimal(UInt64(max(0, Timestamp.now.milliseconds)))
        return String(moment.suffix(11)) + Secret.hexadecimal(.random(in: 0 ... .max)).suffix(4)
    }

    /// Ids are as long as each other: their order as text is the order of the events.
    func id(of number: Int64) -> Event.ID {
        let digits = String(number)
        return Event.ID(
            rawValue + "-" + String(repeating: "0", count: max(0, 16 - digits.count)) + digits)
    }

    /// The number that `id` stands for, or nil where it is none of this epoch.
    func number(of id: String) -> Int64? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == rawValue, parts[1].count == 16 else { return nil }
        guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(parts[1])
    }
}

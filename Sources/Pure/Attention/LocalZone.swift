public import CutieAPI
internal import Glibc

/// A place's clock: how far it is from Greenwich at any moment.
public struct LocalZone: Sendable {
    static let day: Int64 = 86_400
    private let offset: @Sendable (Int64) -> Int64

    /// `offset`: seconds east of Greenwich at a Unix time in seconds.
    public init(offset: @escaping @Sendable (Int64) -> Int64) { self.offset = offset }

    /// The machine's; another one from the moment it is set.
    public static let current = LocalZone { seconds in
        var (seconds, parts) = (time_t(seconds), tm())
        // localtime_r alone would go on with the zone of its first call.
        tzset()
        localtime_r(&seconds, &parts)
        return Int64(parts.tm_gmtoff)
    }

    /// "22:05".
    public func clock(_ time: Timestamp) -> String {
        let minute = Self.remainder(local(time.seconds), by: Self.day) / 60
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(minute / 60) + ":" + two(minute % 60)
    }

    /// The number of the local day.
    func day(of time: Timestamp) -> Int64 {
        let local = local(time.seconds)
        return (local - Self.remainder(local, by: Self.day)) / Self.day
    }

    /// When the clock shows a minute of a day for the first time. A minute that the change in spring leaves
    /// out is the moment of the change.
    func moment(day: Int64, minute: Int) -> Timestamp {
        let wanted = day * Self.day + Int64(minute) * 60
        let (before, after) = (offset(wanted - Self.day), offset(wanted + Self.day))
        let fitting = [wanted - before, wanted - after].filter { local($0) == wanted }.min()
        return Timestamp(milliseconds: (fitting ?? change(from: before, around: wanted)) * 1000)
    }

    /// The first second with another offset than `before`, within a day of a local time.
    private func change(from before: Int64, around wanted: Int64) -> Int64 {
        var (earlier, later) = (wanted - Self.day, wanted + Self.day)
        while later - earlier > 1 {
            let middle = earlier + (later - earlier) / 2
            if offset(middle) == before { earlier = middle } else { later = middle }
        }
        return later
    }

    private func local(_ seconds: Int64) -> Int64 { seconds + offset(seconds) }

    private static func remainder(_ value: Int64, by divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension Timestamp {
    fileprivate var seconds: Int64 { milliseconds / 1000 }
}

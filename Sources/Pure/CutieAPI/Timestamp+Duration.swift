/// Arithmetic with spans of whole milliseconds. What would go beyond the first or the last time ends there.
extension Timestamp {
    public static let epoch = Timestamp(milliseconds: 0)
    public static let distantFuture = Timestamp(milliseconds: .max)

    public static func + (time: Timestamp, span: Duration) -> Timestamp {
        let (sum, overflow) = time.milliseconds.addingReportingOverflow(span.wholeMilliseconds)
        guard overflow else { return Timestamp(milliseconds: sum) }
        return Timestamp(milliseconds: span > .zero ? .max : .min)
    }

    public static func - (time: Timestamp, span: Duration) -> Timestamp { time + (.zero - span) }

    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds) - .milliseconds(earlier.milliseconds)
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        let (thousands, overflow) = components.seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return self > .zero ? .max : .min }
        return thousands + components.attoseconds / 1_000_000_000_000_000
    }
}

import CutieAPI
import Desktop
import Store

/// One pop-up for all that exceeds.
extension Announcer {
    /// It is updated at most once in this time.
    static let summaryPace: Duration = .seconds(1)

    /// What is held for the summary's pace stays held until its time. False where the server refused.
    func showSummary(_ digest: [PopupNews]) async throws -> Bool {
        guard !digest.isEmpty, server != nil else { return true }
        if let last = summaryShownAt, live[.summary] != nil,
            surroundings.uptime - last < Self.summaryPace
        {
            wake(at: last + Self.summaryPace)
            return true
        }
        let (shown, reads) = (live[.summary], reads.value)
        var (still, members) = (0, 0)
        let messages = try step(.announcing, nil, digest.flatMap(\.messages), pending: true) { transaction in
            still = try shown.map { try stillUnread(ofSummary: $0, asOf: reads, in: transaction) } ?? 0
            if still == 0 { try transaction.clearSummarised() }
            for item in digest { try transaction.summarise(item.id, account: item.account) }
            members = try transaction.summarisedCount()
        }
        guard !messages.isEmpty else { return true }
        summarised = members
        let count = still + messages.count
        let popup = try digestPopup(count: count, newest: digest, isUpdate: still > 0)
        return try await present(
            popup, as: .summary, count: count, messages, replacing: shown, countedAsOf: reads)
    }

    /// Counted again only where something was read, which the summary then stands for no more.
    private func stillUnread(
        ofSummary record: PopupRecord, asOf reads: Int64, in transaction: Transaction
    ) throws -> Int {
        guard !live.isCounted(.summary, asOf: reads) else { return record.count }
        try transaction.forgetReadSummarised()
        var count = 0
        for (account, id) in try transaction.summarised() where count < record.count {
            count += try transaction.shownUnreadCount(of: id, account: account)
        }
        return min(count, record.count)
    }
}

import CutieAPI
import Gtk
import InboxModel
import Platform

/// Stores unsent drafts across restarts of the window, in a private file in the daemon's state directory.
final class DraftFile {
    /// The maximum size in bytes. A larger file does not come from this program and is ignored.
    private static let limit = 4 << 20
    /// The maximum number of drafts. If it is exceeded, the oldest drafts are discarded.
    private static let maxDrafts = 200
    private static let pause = Duration.seconds(1)

    private struct Draft: Codable {
        var account: String
        var conversation: String
        var text: String
        /// Whether the draft is a note of support staff; `nil` for a reply.
        var isNote: Bool?

        var key: DraftKey {
            DraftKey(
                ConversationKey(account: account, conversation: conversation),
                isNote == true ? .note : .reply)
        }
    }

    private let directory: String
    private var drafts: [Draft] = []
    private var writeTimer: Timer?

    init(environment: [String: String]) { directory = Paths(environment: environment).stateDirectory }

    private var path: String { directory + "/drafts.json" }

    /// Returns the stored drafts; `nil` if there are none.
    func read() -> [DraftKey: String]? {
        guard let bytes = try? SmallFile.read(path, sizeLimit: Self.limit),
            let kept = try? JSON.decode([Draft].self, from: bytes), !kept.isEmpty
        else { return nil }
        drafts = kept
        return Dictionary(kept.map { ($0.key, $0.text) }) { $1 }
    }

    /// Stores or deletes a draft. If there are more than `maxDrafts` drafts, deletes the oldest. The file is
    /// written after a pause, because typing changes the draft often.
    ///
    /// - Parameter text: the draft; `nil` deletes the stored draft.
    func save(_ text: String?, for key: DraftKey) {
        drafts.removeAll { $0.key == key }
        if let text {
            let place = key.conversation
            drafts.append(
                Draft(
                    account: place.account, conversation: place.conversation, text: text,
                    isNote: key.mode == .note ? true : nil))
        }
        drafts.removeFirst(max(0, drafts.count - Self.maxDrafts))
        writeTimer = Timer(after: Self.pause) { [unowned self] in writeFile() }
    }

    func flush() { if writeTimer?.isPending == true { writeFile() } }

    /// Writes the drafts. Ignores failures such as a full disk, because the drafts stay in memory until the
    /// window closes.
    private func writeFile() {
        writeTimer = nil
        guard let bytes = try? JSON.encode(drafts), bytes.count <= Self.limit,
            let place = try? PrivateDirectory(making: directory)
        else { return }
        try? SmallFile.replace(place.path + "/drafts.json", with: bytes)
    }
}

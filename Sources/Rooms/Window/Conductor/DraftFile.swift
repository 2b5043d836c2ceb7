import FoundationEssentials
import Gtk
import InboxView
import Platform

/// What the person began to write, over the end of the window: a private file beside the daemon's state.
final class DraftFile {
    /// Bytes; what is longer is no draft file of ours.
    private static let limit = 4 << 20
    /// The oldest go first.
    private static let most = 200
    private static let pause = Duration.seconds(1)

    private struct Draft: Codable {
        var account: String
        var conversation: String
        var text: String
        /// Of support; nil: it is a reply.
        var isNote: Bool?

        var key: DraftKey {
            DraftKey(
                ConversationKey(account: account, conversation: conversation),
                isNote == true ? .note : .reply)
        }
    }

    private let directory: String
    private var drafts: [Draft] = []
    private var writing: Timer?

    init(environment: [String: String]) { directory = Paths(environment: environment).stateDirectory }

    private var path: String { directory + "/drafts.json" }

    /// nil where there are none.
    func read() -> [DraftKey: String]? {
        guard let bytes = try? SmallFile.read(path, limit: Self.limit),
            let kept = try? JSONDecoder().decode([Draft].self, from: Data(bytes)), !kept.isEmpty
        else { return nil }
        drafts = kept
        return Dictionary(kept.map { ($0.key, $0.text) }) { $1 }
    }

    /// `text` nil: there is none any more. Written a moment later, as keys come in bursts.
    func keep(_ text: String?, for key: DraftKey) {
        drafts.removeAll { $0.key == key }
        if let text {
            let place = key.conversation
            drafts.append(
                Draft(
                    account: place.account, conversation: place.conversation, text: text,
                    isNote: key.mode == .note ? true : nil))
        }
        drafts.removeFirst(max(0, drafts.count - Self.most))
        writing = Timer(after: Self.pause) { [unowned self] in write() }
    }

    func flush() { if writing?.isPending == true { write() } }

    /// A disk that is full costs the draft of a window that is closed, and nothing else.
    private func write() {
        writing = nil
        guard let bytes = try? JSONEncoder().encode(drafts), bytes.count <= Self.limit,
            let place = try? PrivateDirectory(making: directory)
        else { return }
        try? SmallFile.replace(place.path + "/drafts.json", with: Array(bytes))
    }
}

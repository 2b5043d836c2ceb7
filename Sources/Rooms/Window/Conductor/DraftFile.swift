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
    }

    private let directory: String
    private var drafts: [Draft] = []
    private var writing: Timer?

    init(environment: [String: String]) { directory = Paths(environment: environment).stateDirectory }

    private var path: String { directory + "/drafts.json" }

    /// nil where there are none.
    func read() -> [ConversationKey: String]? {
        guard let bytes = try? SmallFile.read(path, limit: Self.limit),
            let kept = try? JSONDecoder().decode([Draft].self, from: Data(bytes)), !kept.isEmpty
        else { return nil }
        drafts = kept
        return Dictionary(
            kept.map { (ConversationKey(account: $0.account, conversation: $0.conversation), $0.text) }
        ) { $1 }
    }

    /// `text` nil: there is none any more. Written a moment later, as keys come in bursts.
    func keep(_ text: String?, for key: ConversationKey) {
        drafts.removeAll { $0.account == key.account && $0.conversation == key.conversation }
        if let text {
            drafts.append(Draft(account: key.account, conversation: key.conversation, text: text))
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

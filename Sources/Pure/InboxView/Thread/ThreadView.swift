import ControlAPI
import Localization

/// What the place of the thread shows; its lines stand beside.
public enum ThreadView: Hashable, Sendable {
    /// Nothing was chosen.
    case none
    case loading(title: String?)
    case messages(ThreadHead)
    case notFound
    /// The link fits several accounts: one is to be chosen.
    case ambiguous([String])
    /// A sentence.
    case failed(String)
    /// Nobody is signed in to this account, whose name it is: what was there comes back with the sign-in.
    case signedOut(String)
}

/// What stands around the lines of a thread.
public struct ThreadHead: Hashable, Sendable {
    public var key: ConversationKey
    public var title: String
    /// `Open`, `Resolved`.
    public var status: String
    /// Named where there are several.
    public var account: String?
    public var app: String?
    public var tags: [TagLabel]
    public var hasEarlier: Bool
    public var isLoadingEarlier: Bool
    /// The end is not among the lines.
    public var hasLater: Bool
    /// So many came below what is looked at.
    public var newBelow: Int
    /// Older ones are not to be had here.
    public var isCut: Bool
    public var composer: Composer
    /// Whom the words are for; nil where the person is no support.
    public var mode: WritingMode?
    /// Who reads a reply, in such a case.
    public var reader: String
    public var staff: StaffTools?
}

/// Where the person writes.
public enum Composer: Hashable, Sendable {
    /// `revision` moves where `text` is another one than what was typed.
    case box(text: String, revision: Int, canSend: Bool, problem: String?)
    /// It has ended; a sentence, and whether that may be undone.
    case ended(String)
}

/// Returns the name of a status; a status that this version does not know stays as it is.
func statusWord(_ status: String, for reader: Reader) -> String {
    switch status {
    case "open": localized("Open", context: "status")
    case "in_progress": localized("In progress")
    case "waiting_user": ReaderText.waitingForUser.text(for: reader)
    case "waiting_admin": ReaderText.waitingForSupport.text(for: reader)
    case "resolved": localized("Resolved")
    case "closed": localized("Closed")
    default: plainLine(status, limit: 40)
    }
}

/// What is said in the place of the box.
func endSentence(_ status: String) -> String {
    status == "resolved"
        ? localized("This conversation is resolved.") : localized("This conversation is closed.")
}

/// What the person has begun to write, by conversation.
struct Drafts: Hashable, Sendable {
    private var texts: [DraftKey: String] = [:]
    /// Moves where a text is another one than what was typed.
    private(set) var revision = 0

    subscript(key: DraftKey) -> String { texts[key] ?? "" }

    func has(_ key: ConversationKey) -> Bool {
        texts[DraftKey(key, .reply)] != nil || texts[DraftKey(key, .note)] != nil
    }

    mutating func keep(_ kept: [DraftKey: String]) {
        texts.merge(kept) { now, _ in now }
        revision += 1
    }

    /// What is typed: the view has it already. Returns whether there is one now and was none, or the reverse.
    mutating func type(_ text: String, in key: DraftKey) -> Bool {
        let before = has(key.conversation)
        texts[key] = text.isEmpty ? nil : text
        return has(key.conversation) != before
    }

    /// Another text than the view has.
    mutating func set(_ text: String, in key: DraftKey) {
        _ = type(text, in: key)
        revision += 1
    }

    mutating func show() { revision += 1 }
}

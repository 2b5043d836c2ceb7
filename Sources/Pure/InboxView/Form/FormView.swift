import Localization

/// The form as it is shown.
public struct FormView: Hashable, Sendable {
    public var account: String?
    /// Those to choose from; none where there is one.
    public var accounts: [String]
    /// The names of `accounts` as a person reads them, in the same order.
    public var accountTitles: [String] = []
    public var categories: [CategoryChoice]
    public var category: String
    public var title: String
    public var text: String
    public var name: String
    public var contact: String
    /// The fields are set from here where this is another one: what is typed is not written over.
    public var revision: Int
    public var problems: [Problem]
    public var state: State
    /// The person closed it with words in it.
    public var asksToDiscard: Bool
    /// What is sent along.
    public var context: String

    public enum State: Hashable, Sendable {
        case editing
        case sending
        /// A sentence; the words are in the fields.
        case failed(String)
        /// A sentence; it goes by itself.
        case queued(String)
    }

    public enum Field: Hashable, Sendable { case title, text, name, contact }

    public enum Problem: Hashable, Sendable {
        case noText
        case textTooLong
        case tooLong(Field)

        public var sentence: String {
            switch self {
            case .noText: localized("Write something first.")
            case .textTooLong: localized("This is longer than 1 MiB; make it shorter.")
            case .tooLong: localized("This is longer than 1 KiB; make it shorter.")
            }
        }
    }

    /// Nothing was written, and nothing is wrong.
    public var isEmpty: Bool { problems == [.noText] }
    public var isValid: Bool { problems.isEmpty }
    public var canSend: Bool {
        switch state {
        case .editing, .failed: isValid
        case .sending, .queued: false
        }
    }
}

/// A category to choose.
public struct CategoryChoice: Hashable, Sendable {
    /// On the wire.
    public var id: String
    public var words: String
}

/// Something of the device that a new conversation tells.
public enum DeviceFact: Hashable, Sendable, CaseIterable {
    case language, country, appVersion, systemVersion, deviceModel

    private var words: String {
        switch self {
        case .language: localized("your language")
        case .country: localized("your country")
        case .appVersion: localized("the version of this app")
        case .systemVersion: localized("the version of your system")
        case .deviceModel: localized("the model of your computer")
        }
    }

    /// What is sent along, in a sentence.
    static func sentence(of facts: [DeviceFact]) -> String {
        guard let last = facts.last else { return localized("Nothing about your computer is sent along.") }
        let others = facts.dropLast().map(\.words)
        guard !others.isEmpty else {
            return localized("Sent along: {fact}.", ["fact": last.words])
        }
        // Translators: between the parts of an enumeration
        let list = others.joined(separator: localized(", ", context: "enumeration"))
        return localized("Sent along: {facts} and {fact}.", ["facts": list, "fact": last.words])
    }
}

extension FormState {
    /// nil: it is closed.
    func view(accounts: [String]) -> FormView? {
        let state: FormView.State
        switch phase {
        case .closed: return nil
        case .editing: state = .editing
        case .sending: state = .sending
        case .failed(let sentence): state = .failed(sentence)
        case .queued:
            state = .queued(localized("It is kept, and sent as soon as the service can be reached."))
        }
        return FormView(
            account: account, accounts: accounts.count > 1 ? accounts : [],
            categories: Self.categories.map { CategoryChoice(id: $0, words: categoryWord($0)) },
            category: category, title: title, text: text, name: name, contact: contact, revision: revision,
            problems: problems, state: state, asksToDiscard: asksToDiscard,
            context: DeviceFact.sentence(of: facts))
    }
}

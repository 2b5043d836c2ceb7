import Localization

/// The content of the form, for the view.
public struct FormView: Hashable, Sendable {
    public var account: String?
    /// The accounts that the user can choose; empty if there is only one.
    public var accounts: [String]
    /// The display names of `accounts`, in the same order.
    public var accountTitles: [String] = []
    public var categories: [CategoryChoice]
    public var category: String
    public var title: String
    public var text: String
    public var name: String
    public var contact: String
    /// Incremented when the view must reload its fields. If the view reloaded the fields at other times, the
    /// reload would overwrite text that the user is typing.
    public var revision: Int
    public var problems: [Problem]
    /// Whether the user tried to send the form.
    public var wasSubmitted: Bool
    public var state: State
    /// Whether the user closed a form that contains text, and must confirm that the text is discarded.
    public var asksToDiscard: Bool
    /// A sentence for the user that lists the device facts sent with the message.
    public var context: String

    public enum State: Hashable, Sendable {
        case editing
        case sending
        /// Sending failed; the value is the error message. The fields keep their content.
        case failed(String)
        /// The message is in the outbox and will be sent later. The value is a message for the user.
        case queued(String)
    }

    public enum Field: Hashable, Sendable { case title, text, name, contact }

    /// A reason why the form cannot be sent.
    public enum Problem: Hashable, Sendable {
        case noText
        case tooLong(Field)
        case notOneLine(Field)
        /// The daemon rejected the value of the field. The second value is the error message.
        case refused(Field, String)

        public var field: Field {
            switch self {
            case .noText: .text
            case .tooLong(let field), .notOneLine(let field), .refused(let field, _): field
            }
        }

        /// The error message of the problem, which contains the label of the field.
        public var sentence: String {
            switch self {
            case .noText: localized("Your message is empty. Write something first.")
            case .tooLong(.text): localized("Your message is longer than 1 MiB. Shorten it.")
            case .tooLong(.title): localized("The title is longer than 1 KiB. Shorten it.")
            case .tooLong(.name): localized("Your name is longer than 256 bytes. Shorten it.")
            case .tooLong(.contact):
                localized("Your contact information is longer than 256 bytes. Shorten it.")
            case .notOneLine(.name): localized("Your name contains a line break. Write it on one line.")
            case .notOneLine(.contact):
                localized("Your contact information contains a line break. Write it on one line.")
            case .notOneLine: localized("The title contains a line break. Write it on one line.")
            case .refused(_, let sentence): sentence
            }
        }
    }

    /// Whether an empty message is the only problem.
    public var isTextMissing: Bool { problems == [.noText] }
    public var isValid: Bool { problems.isEmpty }
    /// The problem to display; `nil` if there is none. An empty message is not displayed as a problem until
    /// the user tries to send the form.
    public var shownProblem: Problem? { isTextMissing && !wasSubmitted ? nil : problems.first }
    public var canSend: Bool {
        switch state {
        case .editing, .failed: isValid
        case .sending, .queued: false
        }
    }
}

extension FormView.Field {
    /// Creates the field for `parameter` of a call; `nil` if the form has no such field.
    init?(parameter: String) {
        switch parameter {
        case "title": self = .title
        case "message": self = .text
        case "userName": self = .name
        case "userId": self = .contact
        default: return nil
        }
    }
}

public struct CategoryChoice: Hashable, Sendable {
    /// The value of the category in the API.
    public var id: String
    public var label: String
}

/// A device fact that is sent with a new conversation.
public enum DeviceFact: Hashable, Sendable, CaseIterable {
    case language, country, appVersion, systemVersion, deviceModel

    private var label: String {
        switch self {
        case .language: localized("your language")
        case .country: localized("your country")
        case .appVersion: localized("the app version")
        case .systemVersion: localized("your system version")
        case .deviceModel: localized("your computer model")
        }
    }

    /// Returns a sentence that lists the device facts sent with a message.
    static func summary(of facts: [DeviceFact]) -> String {
        guard let last = facts.last else { return localized("No information about your computer is sent.") }
        let others = facts.dropLast().map(\.label)
        guard !others.isEmpty else {
            return localized("Also sent: {fact}.", ["fact": last.label])
        }
        // Translators: separates the items of a list
        let list = others.joined(separator: localized(", ", context: "enumeration"))
        return localized("Also sent: {facts} and {fact}.", ["facts": list, "fact": last.label])
    }
}

extension FormState {
    /// Returns the content of the form; `nil` if the form is closed.
    func makeView(accounts: [String]) -> FormView? {
        let state: FormView.State
        switch phase {
        case .closed: return nil
        case .editing: state = .editing
        case .sending: state = .sending
        case .failed(let sentence): state = .failed(sentence)
        case .queued:
            state = .queued(
                localized("Your message is saved and will be sent when the service can be reached."))
        }
        return FormView(
            account: account, accounts: accounts.count > 1 ? accounts : [],
            categories: Self.categories.map { CategoryChoice(id: $0, label: categoryLabel($0)) },
            category: category, title: title, text: text, name: name, contact: contact, revision: revision,
            problems: problems, wasSubmitted: wasSubmitted, state: state, asksToDiscard: asksToDiscard,
            context: DeviceFact.summary(of: facts))
    }
}

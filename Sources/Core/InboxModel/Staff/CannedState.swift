public import ControlAPI
import CutieAPI
import Localization

/// The list of canned responses and the preview of the selected response, as a state machine.
public struct CannedState: PageMachine {
    public enum Input: PageInput, Hashable {
        /// The open conversation changed; `nil` if none is open, or if its account is not a staff account.
        case show(ConversationView?)
        case choose(CannedResponseView)
        /// The user set the value of a `{{name}}` placeholder.
        case set(variable: String, String)
        /// The user returned to the list of responses.
        case back
        /// The user opened or closed the editor for a new response.
        case compose(Bool)
        case title(String)
        case content(String)
        case answered(Call, CallReply)
        case failed(Call, CallFailure)
    }

    public struct Call: Hashable, Sendable {
        public var account: String
    }

    public typealias CallReply = [CannedResponseView]

    public enum List: Hashable, Sendable {
        case loading
        case ready([CannedResponseView])
        /// Loading failed. The value is the error message.
        case failed(String)
    }

    /// A preview of a canned response before it is sent.
    public struct Preview: Hashable, Sendable {
        public var response: CannedResponseView
        /// The placeholders with their values, in the order of the text.
        public var variables: [Variable]
        /// Whether the user has set a value.
        public private(set) var isChanged = false

        public struct Variable: Hashable, Sendable {
            public var name: String
            public var value: String
        }
    }

    public private(set) var conversation: ConversationView?
    public private(set) var list = List.loading
    public private(set) var preview: Preview?
    public private(set) var isComposing = false
    public private(set) var title = ""
    public private(set) var content = ""

    public init() {}

    public var canAdd: Bool {
        !title.allSatisfy(\.isWhitespace) && !content.allSatisfy(\.isWhitespace)
            && title.utf8.count <= ControlInterface.shortLimit
            && content.utf8.count <= CreateCannedResponse.contentLimit
    }

    /// Whether the user has typed text that would be lost: a new response, or values for placeholders.
    public var hasUnsavedText: Bool { isComposing ? !(title + content).isEmpty : preview?.isChanged == true }

    public mutating func handle(_ input: Input) -> [PageAction<Call, Never>] {
        switch input {
        case .show(let view): return showConversation(view)
        case .choose(let response): preview = Preview(response, name: conversation?.userName)
        case .set(let name, let value): preview?.setValue(ofVariable: name, to: value)
        case .back: preview = nil
        case .compose(let isOn): (isComposing, title, content) = (isOn, "", "")
        case .title(let text): title = text
        case .content(let text): content = text
        case .answered(let call, let responses):
            if call.account == conversation?.account { list = .ready(responses) }
        case .failed(let call, let failure):
            // If a list is already loaded, keep it despite the failure, because its responses are still
            // usable.
            if call.account == conversation?.account, !isListReady { list = .failed(failure.sentence) }
        }
        return []
    }

    private var isListReady: Bool { if case .ready = list { true } else { false } }

    private mutating func showConversation(_ view: ConversationView?) -> [PageAction<Call, Never>] {
        let before = conversation
        conversation = view
        guard view?.key != before?.key else { return [] }
        preview = nil
        if view?.account != before?.account { list = .loading }
        return view.map { [.call(Call(account: $0.account))] } ?? []
    }
}

extension CannedState.Preview {
    /// Creates a preview of a canned response.
    ///
    /// - Parameter name: the name of the user of the app; `nil` if unknown.
    init(_ response: CannedResponseView, name: String?) {
        self.response = response
        var (names, known): ([String], [String: String]) = ([], ["name": name ?? ""])
        // Repeat, because `filledContent` reports only the first variable without a value.
        while let missing = Self.firstMissingVariable(
            in: response.content, knownValues: known.filter { names.contains($0.key) })
        {
            names.append(missing)
            known[missing] = known[missing] ?? ""
        }
        variables = names.map { Variable(name: $0, value: known[$0] ?? "") }
    }

    private static func firstMissingVariable(in content: String, knownValues: [String: String]) -> String? {
        do throws(CannedResponse.MissingVariable) {
            _ = try CannedResponse(id: "", title: "", content: content).filledContent(with: knownValues)
            return nil
        } catch {
            return error.name
        }
    }

    mutating func setValue(ofVariable name: String, to value: String) {
        for index in variables.indices where variables[index].name == name && variables[index].value != value
        {
            variables[index].value = value
            isChanged = true
        }
    }

    public var values: [String: String] {
        Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The text with the values filled in. For a placeholder without a value, the text contains the
    /// placeholder's name in brackets.
    public var text: String {
        let shown = values.map { ($0, $1.allSatisfy(\.isWhitespace) ? "[\($0)]" : $1) }
        let response = CannedResponse(id: "", title: "", content: response.content)
        let filled = try? response.filledContent(with: Dictionary(shown) { first, _ in first })
        return filled ?? response.content
    }

    /// Whether the response can be sent: the response is not empty, and all placeholders have a value, so
    /// that no user receives a placeholder.
    public var canSend: Bool {
        variables.allSatisfy { !$0.value.allSatisfy(\.isWhitespace) } && !text.allSatisfy(\.isWhitespace)
    }
}

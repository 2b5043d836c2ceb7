import ControlAPI
import CutieAPI

/// A canned response that matches what the user typed after `/` in the composer.
public struct CannedMatch: Hashable, Sendable {
    public var title: String
    /// The beginning of the text, on one line.
    public var beginning: String
    /// The text with the known placeholders filled in.
    public var text: String
    /// The first placeholder without a value, such as `{{order}}`; `nil` if all placeholders have a value.
    public var firstPlaceholder: String?

    init(_ response: CannedResponseView, name: String?) {
        var (text, places): (String, [String]) = ("", [])
        var values = ["name": name ?? ""].filter { !$0.value.isEmpty }
        let canned = CannedResponse(id: "", title: "", content: response.content)
        // Repeat, because `filledContent` reports only the first placeholder without a value.
        while true {
            do throws(CannedResponse.MissingVariable) {
                text = try canned.filledContent(with: values)
                break
            } catch {
                places.append(Self.placeholder(named: error.name))
                values[error.name] = Self.placeholder(named: error.name)
            }
        }
        title = plainLine(response.title, limit: 80)
        beginning = plainLine(text, limit: 160)
        (self.text, firstPlaceholder) = (text, places.first)
    }

    private static func placeholder(named name: String) -> String { "{{\(name)}}" }
}

extension InboxState {
    private static let maxMatches = 20

    /// Returns the canned responses that match `query`, the text after `/` in the composer. The list is empty
    /// unless the user writes a reply in a staff account.
    public func cannedMatches(for query: String) -> [CannedMatch] {
        guard let view = staffConversation, thread.mode == .reply else { return [] }
        // If the conversation does not contain the user's name, use the sender of the user's last message.
        let name = view.userName ?? thread.messages.all.last { $0.senderType == "user" }?.senderName
        return staff.cannedResponses(matching: query, in: view.account).prefix(Self.maxMatches)
            .map { CannedMatch($0, name: name) }
    }
}

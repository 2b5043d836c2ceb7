import Config
import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Logging
import Store

extension Announcer {
    /// The names of the actions that a pop-up offers.
    enum Action {
        static let open = "default"
        static let reply = "reply"
        static let markRead = "mark-read"
        static let retry = "retry"
    }

    func popup(for item: PopupNews, count: Int, isUpdate: Bool) throws -> Popup {
        let conversation = item.conversation
        let text = PopupText.conversation(
            names: names(in: item), title: conversation?.title,
            newest: item.messages.last?.message.text ?? "", count: count,
            preview: policy.preview(at: surroundings.moment))
        var popup = try popup(
            text, as: item.key, urgency: urgency(of: item), sound: sound(of: item), isUpdate: isUpdate,
            actions: [
                .init(id: Action.open, label: "Open"), .init(id: Action.reply, label: "Reply"),
                .init(id: Action.markRead, label: "Mark read"),
            ], image: picture(of: item))
        // Of one that has ended, the composer says so before anything is typed.
        if conversation?.ending == nil { popup.inlineReply = inlineReply(to: item) }
        return popup
    }

    private func inlineReply(to item: PopupNews) -> Popup.InlineReply {
        let isNamed = policy.preview(at: surroundings.moment) != .count
        let name = isNamed ? names(in: item).first.map { " to " + $0 } : nil
        return .init(action: Action.reply, placeholder: "Your reply" + (name ?? ""), send: "Send")
    }

    func digestPopup(count: Int, newest: [PopupNews], isUpdate: Bool) throws -> Popup {
        let titles = newest.map { $0.conversation?.title ?? names(in: $0).joined(separator: ", ") }
        let others = newest.count < 3 ? try titlesSummarised(besides: newest) : []
        let text = PopupText.digest(
            titles: titles + others, count: count, conversations: summarised,
            preview: policy.preview(at: surroundings.moment))
        return try popup(
            text, as: .summary, urgency: .normal, sound: sound(of: newest.last), isUpdate: isUpdate,
            actions: [.init(id: Action.open, label: "Open")])
    }

    /// Of the newest that are on the screen already: a title has room for three.
    private func titlesSummarised(besides newest: [PopupNews]) throws -> [String] {
        let known = Set(newest.map(\.key))
        return try store.read { transaction in
            try transaction.summarised(limit: newest.count + 3).compactMap { account, id in
                known.contains(.conversation(account, id))
                    ? nil : try transaction.conversation(id, account: account)?.conversation.title
            }
        }
    }

    private func popup(
        _ text: PopupText, as key: PopupKey, urgency: Popup.Urgency, sound: Popup.Sound, isUpdate: Bool,
        actions: [Popup.Action], image: String? = nil
    ) throws -> Popup {
        var popup = Popup(summary: text.summary, body: text.body)
        popup.urgency = urgency
        popup.stackTag = key.stackTag(of: try name(ofAccountOf: key))
        popup.showsProduct()
        popup.imagePath = image
        popup.actions = actions
        popup.sound = sound
        popup.isUpdate = isUpdate
        return popup
    }

    /// An account's name never changes.
    private func name(ofAccountOf key: PopupKey) throws -> String {
        guard case .conversation(let account, _) = key else { return "" }
        if let name = accountNames[account] { return name }
        let name = try store.read { try $0.account(account)?.name } ?? ""
        accountNames[account] = name
        return name
    }

    /// Shows what is about no reply; nil where the server did not take it now.
    func showNotice(_ popup: Popup) async throws -> UInt32? {
        do {
            let id = try await notifier.show(popup, replacing: nil)
            noteShown(nil)
            return id
        } catch NotifierError.cancelled {
            throw CancellationError()
        } catch NotifierError.refused(let reason) {
            logger.warning("a notice was refused", metadata: ["reason": "\(reason)"])
            wake(at: surroundings.uptime + serverRetry.next(random: 1))
        } catch {
            try await lose(because: error)
        }
        return nil
    }

    /// Those who wrote, newest first, each once.
    func names(in item: PopupNews) -> [String] {
        let new = item.messages.reversed().map { $0.message.senderName ?? "Support" }
        return (new + item.earlierNames).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// Of several replies, the most urgent one's.
    private func urgency(of item: PopupNews) -> Popup.Urgency {
        let urgencies = item.subjects.map(policy.urgency(of:))
        if urgencies.contains(.critical) { return .critical }
        return urgencies.allSatisfy { $0 == .low } && !urgencies.isEmpty ? .low : .normal
    }

    /// Of several replies, the newest one's.
    private func sound(of item: PopupNews?) -> Popup.Sound {
        let newest = item?.subjects.last.map(policy.sound(of:))
        return switch newest ?? policy.configuration.sound {
        case .standard: .standard
        case .none: .silent
        case .named(let name): .named(name)
        }
    }
}

import Config
import ControlAPI
import CutieAPI
import Desktop
import EventLog
import FeedPolicy
import Localization
import NotificationPolicy
import Store

/// Builds the pop-ups of replies: text, picture, urgency, sound and buttons.
final class ReplyPopups {
    private let store: MessageStore
    private let attention: NotificationController
    private let avatars: Avatars
    private let known: KnownAccounts
    private let surroundings: RuntimeEnvironment
    private var policy: Policy { attention.policy }

    init(
        store: MessageStore, attention: NotificationController, avatars: Avatars, known: KnownAccounts,
        surroundings: RuntimeEnvironment
    ) {
        (self.store, self.attention, self.known) = (store, attention, known)
        (self.avatars, self.surroundings) = (avatars, surroundings)
    }

    /// Returns the pop-up of a conversation. `acceptsReplies`: whether the server has a reply field.
    func popup(for item: PopupNews, count: Int, isUpdate: Bool, acceptsReplies: Bool) throws -> Popup {
        let (conversation, names) = (item.conversation, item.names)
        let text = PopupText.conversation(
            names: names, title: conversation?.title,
            newest: item.messages.last?.message.text ?? "", count: count,
            reader: item.perspective.reader, preview: policy.preview(at: surroundings.reading))
        let subjects = item.subjects
        var popup = popup(
            text, tag: try stackTag(of: item), sound: sound(of: subjects.last), isUpdate: isUpdate)
        popup.urgency = urgency(of: subjects)
        popup.imagePath = pictureAddress(of: item).flatMap(avatars.path(of:))
        let canAssign = conversation.map(item.perspective.canAssign) ?? false
        popup.actions = [
            .init(.open, label: localized("Open")), .init(.reply, label: localized("Reply")),
            // Translators: Button for support staff: assigns the conversation to the person who clicks it.
            canAssign
                ? .init(.take, label: localized("Assign to Me"))
                : .init(.markRead, label: localized("Mark as Read")),
        ]
        // If the conversation has ended, the reply window explains that before the person types.
        if acceptsReplies, conversation?.ending == nil { popup.inlineReply = inlineReply(to: names.first) }
        return popup
    }

    private func inlineReply(to name: String?) -> Popup.InlineReply {
        let isNamed = policy.preview(at: surroundings.reading) != .count
        let placeholder =
            (isNamed ? name : nil).map { localized("Your reply to {name}", ["name": $0]) }
            ?? localized("Your reply")
        return .init(
            action: PopupAction.reply.rawValue, placeholder: placeholder, send: localized("Send"))
    }

    /// Returns the summary pop-up for `conversations` conversations. `newest`: the new messages.
    func digest(_ newest: [PopupNews], count: Int, of conversations: Int, isUpdate: Bool) throws -> Popup {
        let titles = newest.map { news in
            news.conversation?.title
                ?? news.names.joined(separator: localized(", ", context: "enumeration"))
        }
        let others = newest.count < 3 ? try summaryTitles(except: newest) : []
        let text = PopupText.digest(
            titles: titles + others, count: count, conversations: conversations,
            reader: attention.reader(), preview: policy.preview(at: surroundings.reading))
        var popup = popup(
            text, tag: "cutied-summary", sound: sound(of: newest.last?.subjects.last), isUpdate: isUpdate)
        popup.actions = [.init(.open, label: localized("Open"))]
        return popup
    }

    /// Returns the same pop-up without text.
    func popupWithoutText(_ owner: PopupOwner, _ shown: ShownPopup, acceptsReplies: Bool) throws -> Popup {
        guard case .reply(let account, let id) = owner else {
            return try digest([], count: shown.count, of: shown.members, isUpdate: true)
        }
        let item = PopupNews(account: account, id: id, conversation: nil, appID: nil, messages: [])
        return try popup(for: item, count: shown.count, isUpdate: true, acceptsReplies: acceptsReplies)
    }

    /// Returns the titles of conversations that are already in the summary, without those of `newest`. A
    /// summary has room for three titles.
    private func summaryTitles(except newest: [PopupNews]) throws -> [String] {
        let known = Set(newest.map(\.owner))
        return try store.read { transaction in
            try transaction.summary.members(limit: newest.count + 3).compactMap { account, id in
                known.contains(.reply(account, id))
                    ? nil : try transaction.conversations.find(id, account: account)?.conversation.title
            }
        }
    }

    private func popup(
        _ text: PopupText, tag: String, sound: Popup.Sound, isUpdate: Bool
    ) -> Popup {
        var popup = Popup(summary: text.summary, body: text.body)
        popup.stackTag = tag
        popup.showsProduct()
        (popup.sound, popup.isUpdate) = (sound, isUpdate)
        return popup
    }

    /// Returns the tag by which a server replaces pop-ups, even after a restart of the daemon. It contains
    /// the account's name, because two accounts may have conversations with the same id, and account numbers
    /// change when the database is recreated.
    private func stackTag(of item: PopupNews) throws -> String {
        let account =
            try known.find(item.account) { try store.read { try $0.accounts.find(item.account) } }?.name ?? ""
        return account == AccountConfiguration.defaultName
            ? item.id.rawValue : account + "/" + item.id.rawValue
    }

    /// Returns the urgency of the most urgent reply; `low` only if all are low.
    private func urgency(of replies: [NotificationSubject]) -> Popup.Urgency {
        let urgencies = replies.map(policy.urgency(of:))
        if urgencies.contains(.critical) { return .critical }
        return urgencies.allSatisfy { $0 == .low } && !urgencies.isEmpty ? .low : .normal
    }

    /// Returns the sound of the newest reply.
    private func sound(of newest: NotificationSubject?) -> Popup.Sound {
        switch newest.map(policy.sound(of:)) ?? policy.configuration.sound {
        case .standard: .standard
        case .none: .silent
        case .named(let name): .named(name)
        }
    }
}

/// Pictures: even a sender's first pop-up has one if it can be fetched quickly.
extension ReplyPopups {
    /// Begins to fetch the pictures that the pop-ups of `items` lack.
    func beginPictures(of items: [PopupNews]) -> Avatars.Wait {
        avatars.begin(items.compactMap(pictureAddress))
    }

    func awaits(_ wait: Avatars.Wait, for item: PopupNews) -> Bool {
        !wait.addresses.isEmpty && pictureAddress(of: item).map(wait.addresses.contains) ?? false
    }

    /// Returns the address of the newest sender's picture; `nil` unless the preview is `full`, because a
    /// fetch reveals to the picture's host that someone is looking.
    private func pictureAddress(of item: PopupNews) -> String? {
        guard let address = item.messages.last?.message.senderAvatarURL,
            policy.preview(at: surroundings.reading) == .full
        else { return nil }
        return address
    }
}

extension PopupNews {
    /// The senders, newest first, without duplicates.
    var names: [String] {
        var names: [String] = []
        for record in messages.reversed() {
            let name = record.message.senderName.map { DisplayName.cleaned($0) } ?? titleWithoutName
            if !names.contains(name) { names.append(name) }
        }
        for name in earlierNames where !names.contains(name) { names.append(name) }
        return names
    }
}

extension Perspective {
    fileprivate var reader: Reader {
        switch self {
        case .person: .user
        case .staff: .staff
        }
    }
}

extension PopupNews {
    private var titleWithoutName: String {
        switch perspective {
        // Translators: Name of the sender if the reply contains none.
        case .person: localized("Support")
        // Translators: Name of the user if the user gave none.
        case .staff: conversation?.userName ?? localized("Someone")
        }
    }
}

extension Popup.Action {
    init(_ action: PopupAction, label: String) { self.init(id: action.rawValue, label: label) }
}

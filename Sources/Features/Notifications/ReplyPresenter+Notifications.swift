import Config
import CutieAPI
import EventLog
import FeedPolicy
import Localization
import MessageText
import NotificationPolicy
import Store

/// The notifications of replies: text, picture, urgency, sound and buttons.
extension ReplyPresenter {
    var policy: Policy { screen.notificationController.policy }

    /// Returns the notification of a conversation.
    ///
    /// - Parameters:
    /// - senderNames: `item.names`.
    ///   - acceptsReplies: whether the server has a reply field.
    func makeNotification(
        for item: ReplyGroup, senderNames: [String], messageCount: Int, isUpdate: Bool, acceptsReplies: Bool
    ) throws -> DesktopNotification {
        let (conversation, preview) = (item.conversation, policy.preview(at: runtime.clockReading))
        // Omit the delimiters of styles, because notifications do not show styles.
        let newest = TextRun.plainText(
            of: item.messages.last?.message.text ?? "", limit: Self.shownScalars)
        let text = NotificationText.conversation(
            senderNames: senderNames, title: conversation?.title,
            newestText: newest, messageCount: messageCount,
            role: item.perspective.reader, preview: preview)
        let subjects = item.subjects
        var notification = makeNotification(
            text, tag: try stackTag(of: item), sound: sound(of: subjects.last), isUpdate: isUpdate)
        notification.urgency = urgency(of: subjects)
        if preview == .full {
            notification.imagePath = item.pictureAddress.flatMap(avatars.findOrRequestPath(ofPictureAt:))
        }
        let canAssign = conversation.map(item.perspective.canAssignToSelf) ?? false
        notification.actions = [
            .init(.open, label: localized("Open")), .init(.reply, label: localized("Reply")),
            // Translators: Button for support staff: assigns the conversation to the person who clicks it.
            canAssign
                ? .init(.assignToMe, label: localized("Assign to Me"))
                : .init(.markRead, label: localized("Mark as Read")),
        ]
        // Offer no reply field if the conversation has ended, because the reply window explains the end
        // before the user types.
        if acceptsReplies, conversation?.ending == nil {
            notification.inlineReply = makeInlineReply(to: preview == .count ? nil : senderNames.first)
        }
        return notification
    }

    /// The maximum number of scalars to format, which is more than a notification shows.
    private static let shownScalars = 2000

    private func makeInlineReply(to name: String?) -> DesktopNotification.InlineReply {
        let placeholder =
            name.map { localized("Your reply to {name}", ["name": $0]) } ?? localized("Your reply")
        return .init(
            action: NotificationAction.reply.rawValue, placeholder: placeholder, send: localized("Send"))
    }

    /// Returns the summary notification for `conversationCount` conversations. `newestReplies`: the new
    /// messages.
    func makeDigest(of newestReplies: [ReplyGroup], messageCount: Int, conversationCount: Int, isUpdate: Bool)
        throws
        -> DesktopNotification
    {
        let titles = newestReplies.map { news in
            news.conversation?.title
                ?? news.names.joined(separator: localized(", ", context: "enumeration"))
        }
        let others = newestReplies.count < 3 ? try fetchSummaryTitles(except: newestReplies) : []
        let text = NotificationText.digest(
            titles: titles + others, messageCount: messageCount, conversationCount: conversationCount,
            role: screen.notificationController.reader(), preview: policy.preview(at: runtime.clockReading))
        var notification = makeNotification(
            text, tag: "cutied-summary", sound: sound(of: newestReplies.last?.subjects.last),
            isUpdate: isUpdate)
        notification.actions = [.init(.open, label: localized("Open"))]
        return notification
    }

    /// Returns the notification of `owner` without text.
    func makeNotificationWithoutText(
        for owner: NotificationOwner, shownNotification: ShownNotification, acceptsReplies: Bool
    )
        throws -> DesktopNotification
    {
        guard case .reply(let account, let id) = owner else {
            return try makeDigest(
                of: [], messageCount: shownNotification.count, conversationCount: shownNotification.members,
                isUpdate: true)
        }
        let item = ReplyGroup(account: account, id: id, conversation: nil, appID: nil, messages: [])
        return try makeNotification(
            for: item, senderNames: item.names, messageCount: shownNotification.count, isUpdate: true,
            acceptsReplies: acceptsReplies)
    }

    /// Returns the titles of conversations that are already in the summary, without those of `newestReplies`.
    /// A summary has room for three titles.
    private func fetchSummaryTitles(except newestReplies: [ReplyGroup]) throws -> [String] {
        let known = Set(newestReplies.map(\.owner))
        return try store.read { transaction in
            try transaction.summary.fetchConversations(limit: newestReplies.count + 3).compactMap {
                account, id in
                known.contains(.reply(account, id))
                    ? nil : try transaction.conversations.find(id, account: account)?.conversation.title
            }
        }
    }

    private func makeNotification(
        _ text: NotificationText, tag: String, sound: DesktopNotification.Sound, isUpdate: Bool
    ) -> DesktopNotification {
        var notification = DesktopNotification(text)
        notification.stackTag = tag
        (notification.sound, notification.isUpdate) = (sound, isUpdate)
        return notification
    }

    /// Returns the tag by which a server replaces notifications, even after a restart of the daemon. The tag
    /// contains the account's name, because two accounts may have conversations with the same ID, and account
    /// numbers change when the database is recreated.
    private func stackTag(of item: ReplyGroup) throws -> String {
        let account =
            try known.findIdentity(of: item.account) {
                try store.read { try $0.accounts.find(item.account) }
            }?.name ?? ""
        return account == AccountConfiguration.defaultName
            ? item.id.rawValue : account + "/" + item.id.rawValue
    }

    /// Returns the urgency of the most urgent reply; `low` only if the urgency of all replies is low.
    private func urgency(of replies: [NotificationSubject]) -> DesktopNotification.Urgency {
        let policy = policy
        var isLow = !replies.isEmpty
        for reply in replies {
            switch policy.urgency(of: reply) {
            case .critical: return .critical
            case .normal: isLow = false
            case .low: break
            }
        }
        return isLow ? .low : .normal
    }

    /// Returns the sound of the newest reply.
    private func sound(of newestReply: NotificationSubject?) -> DesktopNotification.Sound {
        DesktopNotification.Sound(newestReply.map(policy.sound(of:)) ?? policy.configuration.sound)
    }
}

extension DesktopNotification.Sound {
    init(_ sound: NotificationConfiguration.Sound) {
        self =
            switch sound {
            case .standard: .standard
            case .none: .silent
            case .named(let name): .named(name)
            }
    }
}

/// Pictures: even a sender's first notification has a picture if the picture can be fetched quickly.
extension ReplyPresenter {
    /// Begins to fetch the pictures that the notifications of `items` lack; returns `nil` if no sender has a
    /// picture, as is usual.
    func startPictureDownloads(for items: [ReplyGroup]) -> Avatars.Downloads? {
        let addresses = items.compactMap(\.pictureAddress)
        return addresses.isEmpty || !showsPictures ? nil : avatars.beginDownloads(from: addresses)
    }

    func mustAwait(_ downloads: Avatars.Downloads?, for item: ReplyGroup) -> Bool {
        guard let downloads, let address = item.pictureAddress else { return false }
        return downloads.addresses.contains(address) && showsPictures
    }

    /// Whether notifications have pictures now. Without the full preview, no picture is fetched, because a
    /// fetch reveals to the picture's host that the notification is shown.
    private var showsPictures: Bool { policy.preview(at: runtime.clockReading) == .full }
}

extension ReplyGroup {
    /// The address of the newest sender's picture; `nil` if the sender has none.
    fileprivate var pictureAddress: String? { messages.last?.message.senderAvatarURL }
}

extension ReplyGroup {
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
    fileprivate var reader: UserRole {
        switch self {
        case .user: .user
        case .staff: .staff
        }
    }
}

extension ReplyGroup {
    private var titleWithoutName: String {
        switch perspective {
        // Translators: Name of the sender if the reply contains none.
        case .user: localized("Support")
        // Translators: Name of the user if the user gave none.
        case .staff: conversation?.userName ?? localized("Someone")
        }
    }
}

extension DesktopNotification.Action {
    init(_ action: NotificationAction, label: String) { self.init(id: action.rawValue, label: label) }
}

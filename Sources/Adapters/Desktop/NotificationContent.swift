import CNotify
import NotificationPolicy

/// The content of a notification, truncated and sanitized for the capabilities of a server.
struct NotificationContent {
    /// A hint from the notification specification, or a hint that only one server defines.
    struct Hint {
        enum Value: Equatable {
            case text(String)
            case flag
        }

        let name: String
        /// The value of the hint; `nil` to omit the hint.
        let value: Value?

        init(_ name: String, text: String?) {
            let line = text.map { PlainText.singleLine($0, limit: 200) } ?? ""
            self.name = name
            value = line.isEmpty ? nil : .text(line)
        }

        init(_ name: String, isSet: Bool) {
            self.name = name
            value = isSet ? .flag : nil
        }
    }

    /// The action ID for which servers show a reply field instead of a button.
    static let inlineReply = "inline-reply"

    let summary: String
    let body: String
    let iconName: String?
    let urgency: DesktopNotification.Urgency
    /// The timeout of the notification in milliseconds; 0 to never expire, -1 for the default of the server.
    let timeout: Int32
    /// The hints. Every notification has the same hint names in the same order, so that hints can be compared
    /// by index.
    let hints: [Hint]
    let actions: [DesktopNotification.Action]
    /// The unmodified actions of the notification, which show whether `actions` can be reused.
    private let originalActions: [DesktopNotification.Action]
    /// The ID of the action for which the server shows a reply field; `nil` if there is no reply field.
    let replyAction: String?

    /// The action IDs, keyed by the action names that the server sends.
    var offeredActions: [String: String] {
        let pairs = actions.map { ($0.id, $0.id == Self.inlineReply ? replyAction ?? $0.id : $0.id) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// - Parameters:
    ///   - keepsReplyButton: whether a reply field is offered in addition to the button instead of replacing
    ///     it.
    ///   - previous: the previous content of the notification, whose actions are reused if they are
    ///     unchanged; `nil` for a new notification.
    init(
        for notification: DesktopNotification, application: String, capabilities: Set<String>,
        keepsReplyButton: Bool, reusing previous: NotificationContent? = nil
    ) {
        let summary = PlainText.singleLine(notification.summary, limit: 200)
        let body = PlainText.multipleLines(notification.body, limit: notification.bodyLimit)
        self.summary = summary.isEmpty ? application : summary
        self.body = capabilities.contains("body-markup") ? PlainText.escapedMarkup(body) : body
        iconName = notification.iconName.isEmpty ? nil : notification.iconName
        urgency = notification.urgency
        timeout = notification.expireMilliseconds.map { Int32(clamping: max($0, 0)) } ?? -1
        let inline = capabilities.contains(Self.inlineReply) ? notification.inlineReply : nil
        replyAction = inline?.action
        hints = Self.makeHints(for: notification, inlineReply: inline)
        originalActions = capabilities.contains("actions") ? notification.actions : []
        if let previous, previous.originalActions == originalActions, previous.replyAction == replyAction {
            actions = previous.actions
        } else {
            actions = Self.makeActions(
                originalActions, inlineReply: inline, keepsReplyButton: keepsReplyButton)
        }
    }

    private static func makeHints(
        for notification: DesktopNotification, inlineReply inline: DesktopNotification.InlineReply?
    ) -> [Hint] {
        let sound: String? =
            switch notification.sound {
            case _ where notification.isUpdate, .silent: nil
            case .standard: "message-new-instant"
            case .named(let name): name
            }
        return [
            Hint("desktop-entry", text: notification.desktopEntry),
            Hint("category", text: notification.category),
            Hint("x-canonical-private-synchronous", text: notification.stackTag),
            Hint("x-dunst-stack-tag", text: notification.stackTag),
            Hint("transient", isSet: notification.isTransient),
            Hint("image-path", text: notification.imagePath.flatMap { isLocalFile($0) ? $0 : nil }),
            Hint("suppress-sound", isSet: sound == nil), Hint("sound-name", text: sound),
            Hint("x-kde-reply-placeholder-text", text: inline?.placeholder),
            Hint("x-kde-reply-submit-button-text", text: inline?.send),
        ]
    }

    private static func isLocalFile(_ path: String) -> Bool {
        !path.utf8.contains(0) && cnotify_is_local_file(path)
    }

    private static func makeActions(
        _ actions: [DesktopNotification.Action], inlineReply inline: DesktopNotification.InlineReply?,
        keepsReplyButton: Bool
    ) -> [DesktopNotification.Action] {
        actions.prefix(8).flatMap { action -> [DesktopNotification.Action] in
            guard let inline, action.id == inline.action else { return [action] }
            guard keepsReplyButton else { return [.init(id: inlineReply, label: action.label)] }
            // The label of the action is the label of the button that sends the text of the reply field.
            return [.init(id: inlineReply, label: inline.send), action]
        }
        .compactMap { action in
            let id = PlainText.singleLine(action.id, limit: 100)
            let label = PlainText.singleLine(action.label, limit: 100)
            return id.isEmpty || label.isEmpty ? nil : DesktopNotification.Action(id: id, label: label)
        }
    }
}

/// Functions that sanitize untrusted text for a notification server.
enum PlainText {
    /// Returns `text` as a single line of at most `limit` characters.
    static func singleLine(_ text: String, limit: Int) -> String {
        sanitized(text, limit: limit) { isLineEnd($0) ? " " : $0 }
    }

    /// Returns `text` truncated to `limit` characters. Keeps line breaks, but merges consecutive empty lines.
    static func multipleLines(_ text: String, limit: Int) -> String {
        let bounded = sanitized(text, limit: limit) { isLineEnd($0) ? "\n" : $0 }
        guard bounded.utf8.contains(UInt8(ascii: "\n")), !hasCleanLines(bounded) else { return bounded }
        var kept: [Substring] = []
        for line
            in bounded
            .split(separator: "\n", omittingEmptySubsequences: false).map(trimmed)
        where !(line.isEmpty && kept.last?.isEmpty ?? true) {
            kept.append(line)
        }
        return String(trimmed(kept.joined(separator: "\n")[...]))
    }

    /// Returns `text` escaped for a server that renders markup. Escapes scalars, not characters, because a
    /// markup parser recognizes a `<` before a combining accent, although the two scalars form a single
    /// `Character`.
    static func escapedMarkup(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns `text` without unsafe characters, truncated to `limit` characters. Limits the number of
    /// scalars first, because one character may consist of a million combining marks.
    private static func sanitized(
        _ text: String, limit: Int, replacingUnsafeWith replacement: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        if text.utf8.count <= limit,
            isPrintableASCII(text, allowingNewlines: replacement("\n") == "\n")
                || text.unicodeScalars.allSatisfy({ isSafe($0) && replacement($0) == $0 })
        {
            return startsAndEndsVisibly(text[...]) ? text : String(trimmed(text[...]))
        }
        let start = text.unicodeScalars.prefix(limit * 8)
        let isTruncated = start.endIndex < text.unicodeScalars.endIndex
        var harmless = String.UnicodeScalarView()
        var former: Unicode.Scalar = " "
        for scalar in start {
            // Treat CR and CRLF as line endings, like LF.
            if scalar == "\r" {
                harmless.append(replacement("\n"))
            } else if isSafe(scalar), !(scalar == "\n" && former == "\r") {
                harmless.append(replacement(scalar))
            }
            former = scalar
        }
        let whole = trimmed(String(harmless)[...])
        if !isTruncated && whole.count <= limit { return String(whole) }
        let room = max(0, min(limit, whole.count) - 1)  // leave space for the "…"
        return trimmed(removingTruncatedWord(from: whole.prefix(room), originalText: whole)) + "…"
    }

    /// Returns whether `text` contains only visible ASCII characters and spaces, and line feeds if
    /// `allowsNewlines` is
    /// true. This check is a fast path, because decoding scalars takes several times as long.
    private static func isPrintableASCII(_ text: String, allowingNewlines allowsNewlines: Bool) -> Bool {
        var text = text
        return text.withUTF8 { $0.allSatisfy { 0x20...0x7E ~= $0 || allowsNewlines && $0 == 0x0A } }
    }

    /// Returns `cut` without a truncated word at its end. A long word is not removed, because some
    /// languages do not
    /// separate words.
    private static func removingTruncatedWord(from cut: Substring, originalText text: Substring) -> Substring
    {
        guard cut.endIndex < text.endIndex, !text[cut.endIndex].isWhitespace,
            let end = cut.suffix(cut.count / 8).lastIndex(where: \.isWhitespace)
        else { return cut }
        return cut[..<end]
    }

    /// Returns whether `text` is ASCII, has no empty line, and has no line that starts or ends with a space.
    private static func hasCleanLines(_ text: String) -> Bool {
        var former = UInt8(ascii: "\n")
        for byte in text.utf8 {
            let isBlank = byte <= 0x20 && former <= 0x20
            guard byte < 0x7F, !isBlank || byte == former && byte == 0x20 else { return false }
            former = byte
        }
        return former > 0x20
    }

    /// Returns whether `text` starts and ends with a printable ASCII character. This fast path covers most
    /// text, which needs no trimming.
    private static func startsAndEndsVisibly(_ text: Substring) -> Bool {
        let ink: ClosedRange<UInt8> = 0x21...0x7E
        guard let first = text.utf8.first, let last = text.utf8.last else { return false }
        return ink.contains(first) && ink.contains(last)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        if startsAndEndsVisibly(text) { return text }
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Returns whether a scalar is safe to show. Tab and line endings (except CR, which the caller converts)
    /// are safe. Other control characters are not: NUL ends a C string, and others can confuse D-Bus clients
    /// and Pango. Bidirectional controls are not safe, because they can disguise the order of the text.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0x09...0x0C, 0x85: true
        case 0x00...0x1F, 0x7F...0x9F: false
        case 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: false
        // Noncharacters. The range is hard-coded, because looking up the Unicode property is slow.
        case 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}

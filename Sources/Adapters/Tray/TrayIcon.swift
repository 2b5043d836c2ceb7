import CTray
import Runtime

/// The tray icon and its menu, and the count on the application's launcher.
public final class TrayIcon: Sendable {
    /// The events of the tray. If the consumer is too slow, the oldest events are dropped.
    public let events: AsyncStream<TrayEvent>
    private let sink: AsyncStream<TrayEvent>.Continuation
    private let thread = TrayThread()
    private let handle = Locked(Handle(pointer: nil))

    /// The C object. The object must be used only on the tray thread.
    private struct Handle: @unchecked Sendable {
        var pointer: OpaquePointer?
    }

    /// Publishes the icon. A process must create only one tray, which must live until the process exits.
    ///
    /// - Parameters:
    ///   - desktopEntry: the name of the launcher's .desktop file, without the extension.
    ///   - title: the name of the application.
    public init(desktopEntry: String, title: String) {
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        thread.perform { [self] in
            guard let pointer = ctray_new(listener, desktopEntry, title) else {
                sink.yield(.disconnected)
                return
            }
            handle.withLock { $0.pointer = pointer }
        }
    }

    private var listener: ctray_listener {
        ctray_listener(
            context: Unmanaged.passUnretained(self).toOpaque(),
            activated: { context, token in
                TrayIcon.reportEvent(.activated(token: token.map { String(cString: $0) }), to: context)
            },
            chosen: { context, command in
                guard let command else { return }
                TrayIcon.reportEvent(.chosen(command: String(cString: command)), to: context)
            },
            hosts_changed: { context, hasTray, hasLauncher in
                TrayIcon.reportEvent(.hosts(hasTray: hasTray, hasLauncher: hasLauncher), to: context)
            },
            disconnected: { context in TrayIcon.reportEvent(.disconnected, to: context) })
    }

    private static func reportEvent(_ event: TrayEvent, to context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        Unmanaged<TrayIcon>.fromOpaque(context).takeUnretainedValue().sink.yield(event)
    }

    /// Shows `content` instead of `previous` (`nil` if nothing is shown). Does not replace an unchanged menu,
    /// because the user may have opened the menu.
    public func show(_ content: TrayContent, replacing previous: TrayContent?) {
        perform { tray in
            ctray_set_icon(tray, content.icon, content.heading, content.text, content.label)
            if content.menu != previous?.menu { Self.showMenu(content.menu, on: tray) }
            ctray_set_count(tray, Int64(content.count))
        }
    }

    /// Removes the count from the launcher. Otherwise, some launchers would still show the count after the
    /// process exits.
    public func clearLauncherCount() async {
        await withCheckedContinuation { continuation in
            thread.perform { [handle] in
                if let tray = handle.withLock({ $0.pointer }) {
                    ctray_set_count(tray, 0)
                    ctray_flush(tray)
                }
                continuation.resume()
            }
        }
    }

    private func perform(_ call: @escaping @Sendable (OpaquePointer) -> Void) {
        thread.perform { [handle] in
            if let tray = handle.withLock({ $0.pointer }) { call(tray) }
        }
    }

    private static func showMenu(_ menu: [TrayMenuItem], on tray: OpaquePointer) {
        ctray_menu_begin(tray)
        for item in menu { addItem(item, to: tray) }
        ctray_menu_show(tray)
    }

    private static func addItem(_ item: TrayMenuItem, to tray: OpaquePointer) {
        switch item {
        case .command(let command, let label): ctray_menu_add(tray, escapedLabel(label), command)
        case .text(let label): ctray_menu_add(tray, escapedLabel(label), nil)
        case .separator: ctray_menu_add_separator(tray)
        case .submenu(let label, let items):
            ctray_menu_begin_submenu(tray, escapedLabel(label))
            for item in items { addItem(item, to: tray) }
            ctray_menu_end_submenu(tray)
        }
    }

    /// Doubles underscores, because tray hosts interpret a single underscore as the marker of a mnemonic.
    private static func escapedLabel(_ label: String) -> String {
        label.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
    }
}

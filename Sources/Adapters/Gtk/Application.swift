import Glibc
import Libadwaita

/// The GTK application. Each user has one primary process; later processes forward their arguments to the
/// primary process.
public final class Application {
    public let ref: Ref

    /// Initializes GTK. Returns `false` if the display cannot be opened.
    public static func connectToDisplay() -> Bool {
        // Restore the token, which GTK removes from the environment. `SEND_ENVIRONMENT` forwards the
        // environment to the primary process, which needs the token.
        let token = getenv("XDG_ACTIVATION_TOKEN").map { String(cString: $0) }
        defer { if let token { setenv("XDG_ACTIVATION_TOKEN", token, 1) } }
        return gtk_init_check() != 0
    }

    /// Whether a font is installed. Without a font, Pango terminates the program when it draws text. The
    /// display must be connected.
    public static var hasFont: Bool {
        let label = Retained(adopting: Ref(gtk_label_new("")))
        let context = gtk_widget_get_pango_context(label.ref())
        guard let font = pango_context_load_font(context, pango_context_get_font_description(context)) else {
            return false
        }
        g_object_unref(font)
        return true
    }

    /// Creates the application.
    ///
    /// - Parameter id: the application ID, which must equal the base name of the .desktop file.
    public init(id: String) {
        let flags = GApplicationFlags(
            G_APPLICATION_HANDLES_COMMAND_LINE.rawValue | G_APPLICATION_SEND_ENVIRONMENT.rawValue)
        guard let made = adw_application_new(id, flags) else {
            preconditionFailure("no application \(id)")
        }
        ref = Ref(made)
        // By default, GIO terminates the process when the session bus ends, and text that was just typed is
        // lost. The window does not need the bus.
        ref.on("startup") { [ref] _ in
            guard let bus = g_application_get_dbus_connection(ref()) else { return }
            g_dbus_connection_set_exit_on_close(bus, 0)
        }
    }

    /// Sets the handler that runs once in the primary process, before any window is created.
    public func onStartup(_ body: @escaping () -> Void) { ref.on("startup") { _ in body() } }

    /// Sets the handler that runs in the primary process for every launch, including the first. The result of
    /// the handler is the exit code of the launched process.
    public func onCommandLine(_ body: @escaping (Launch) -> Int32) {
        ref.onSignalReturningInt("command-line") { arguments in
            guard let line = arguments.object(at: 0) else { return 1 }
            return body(
                Launch(
                    arguments: Self.arguments(of: line),
                    activationToken: g_application_command_line_getenv(line(), "XDG_ACTIVATION_TOKEN")
                        .map { String(cString: $0) }))
        }
    }

    /// A launch of the program, in the primary process or forwarded from another process.
    public struct Launch {
        /// The arguments without the program name.
        public let arguments: [String]
        /// The activation token, with which the compositor allows a window to get the focus; `nil` if the
        /// launch has no token.
        public let activationToken: String?
    }

    /// Presents `window` with the activation token of the launch. Sets the token explicitly, because GTK 4.8
    /// forwards only X11 tokens.
    public func presentWindow(_ window: Ref, for launch: Launch) {
        if let token = launch.activationToken { gtk_window_set_startup_id(window(), token) }
        gtk_window_present(window())
    }

    /// Runs the main loop until the last window is closed. Returns the exit code.
    public func run(arguments: [String]) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { g_strdup($0) } + [nil]
        defer { for word in words { g_free(word) } }
        return g_application_run(ref(), Int32(arguments.count), &words)
    }

    /// Whether a window of the program is in front.
    public var isInFront: Bool {
        var entry = gtk_application_get_windows(ref())
        while let window = entry {
            if let data = window.pointee.data, Ref(data).isInFront { return true }
            entry = window.pointee.next
        }
        return false
    }

    /// Calls `body` when a window of the program may have moved to the front or to the background.
    public func onFocusChange(_ body: @escaping () -> Void) {
        ref.on("window-added") { arguments in
            arguments.object(at: 0)?.onChange(of: "is-active") { body() }
        }
    }

    public func quit() { g_application_quit(ref()) }

    /// The window that had the focus most recently; `nil` if the application has no window.
    public var activeWindow: Ref? { Ref(orNil: gtk_application_get_active_window(ref())) }

    /// Sets the keyboard shortcuts of an action.
    ///
    /// - Parameters:
    ///   - keys: the shortcuts in GTK's notation, such as `<Control>Return`.
    ///   - action: the action name with its prefix, such as `win.reply`.
    public func setAccelerators(_ keys: [String], for action: String) {
        var words: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(g_strdup($0)) } + [nil]
        defer { for word in words { g_free(UnsafeMutableRawPointer(mutating: word)) } }
        gtk_application_set_accels_for_action(ref(), action, &words)
    }

    private static func arguments(of commandLine: Ref) -> [String] {
        var count: Int32 = 0
        let words = g_application_command_line_get_arguments(commandLine(), &count)
        defer { g_strfreev(words) }
        return (0..<Int(count)).dropFirst().compactMap { words?[$0].map { String(cString: $0) } }
    }
}

/// An action that menus, buttons and keyboard shortcuts refer to by name.
public final class NamedAction {
    private let ref: Ref

    /// Creates an action and adds it to the action map `map`: the application (`app.NAME`), a window
    /// (`win.NAME`) or an `ActionGroup`.
    @discardableResult
    public init(_ name: String, in map: Ref, _ body: @escaping () -> Void) {
        ref = Self.addAction(name, parameterType: nil, to: map)
        ref.on("activate") { _ in body() }
    }

    /// Creates an action with a string parameter and adds it to the action map `map`.
    @discardableResult
    public init(_ name: String, in map: Ref, withText body: @escaping (String) -> Void) {
        ref = Self.addAction(name, parameterType: "s", to: map)
        ref.on("activate") { arguments in
            if let text = arguments.variantString(at: 0) { body(text) }
        }
    }

    /// Whether the action is enabled. The action map must outlive this object.
    public var isEnabled: Bool {
        get { g_action_get_enabled(ref()) != 0 }
        set { g_simple_action_set_enabled(ref(), newValue ? 1 : 0) }
    }

    private static func addAction(_ name: String, parameterType type: String?, to map: Ref) -> Ref {
        let kind = type.flatMap { g_variant_type_new($0) }
        defer { if let kind { g_variant_type_free(kind) } }
        guard let made = g_simple_action_new(name, kind) else {
            preconditionFailure("no action \(name)")
        }
        let ref = Ref(made)
        g_action_map_add_action(map(), ref())
        g_object_unref(ref.raw)
        return ref
    }
}

/// A group of actions for one widget and its children.
public struct ActionGroup {
    public let ref: Ref

    /// Creates an empty group for `widget`. The actions are named `prefix.NAME`.
    public init(_ prefix: String, of widget: Ref) {
        guard let made = g_simple_action_group_new() else { preconditionFailure("no action group") }
        ref = Ref(made)
        gtk_widget_insert_action_group(widget(), prefix, ref())
        g_object_unref(ref.raw)
    }
}

import Libadwaita

/// Style sheets that extend the desktop theme.
public enum Style {
    /// Applies the style sheet `css`, which is embedded in the program.
    public static func installStyle(_ css: [UInt8]) {
        guard let provider = makeStyleProvider(css) else { return }
        addStyleProvider(provider)
        g_object_unref(provider)
    }

    /// Applies the style sheet `css` while the desktop uses high contrast.
    public static func installHighContrastStyle(_ css: [UInt8]) {
        guard let provider = makeStyleProvider(css), let manager = adw_style_manager_get_default() else {
            return
        }
        let follow = {
            removeStyleProvider(provider)
            if adw_style_manager_get_high_contrast(manager) != 0 { addStyleProvider(provider) }
        }
        Ref(manager).onChange(of: "high-contrast", follow)
        follow()
    }

    private static func makeStyleProvider(_ css: [UInt8]) -> UnsafeMutablePointer<GtkCssProvider>? {
        guard let provider = gtk_css_provider_new() else { return nil }
        css.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                gtk_css_provider_load_from_data(provider, $0.baseAddress, $0.count)
            }
        }
        return provider
    }

    private static func addStyleProvider(_ provider: UnsafeMutablePointer<GtkCssProvider>) {
        guard let display = gdk_display_get_default() else { return }
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }

    private static func removeStyleProvider(_ provider: UnsafeMutablePointer<GtkCssProvider>) {
        guard let display = gdk_display_get_default() else { return }
        gtk_style_context_remove_provider_for_display(display, OpaquePointer(provider))
    }
}

/// Fallback icons for icon themes that do not contain them.
public enum ApplicationIcons {
    /// Makes the icons of a compiled GResource available by name.
    ///
    /// - Parameter folder: the folder in the resource that contains `scalable/actions`.
    public static func installIconResource(_ resource: [UInt8], iconFolder folder: String) {
        guard let bytes = g_bytes_new(resource, gsize(resource.count)) else { return }
        defer { g_bytes_unref(bytes) }
        guard let icons = g_resource_new_from_data(bytes, nil) else { return }
        g_resources_register(icons)
        g_resource_unref(icons)
        guard let display = gdk_display_get_default() else { return }
        gtk_icon_theme_add_resource_path(gtk_icon_theme_get_for_display(display), folder)
    }
}

public enum Clipboard {
    public static func copyToClipboard(_ text: String) {
        guard let display = gdk_display_get_default() else { return }
        gdk_clipboard_set_text(gdk_display_get_clipboard(display), text)
    }
}

public enum DesktopLauncher {
    /// Opens a URI in the default application. The desktop shows any error to the user.
    public static func openURI(_ uri: String, parent window: Ref) {
        gtk_show_uri(window(), uri, guint32(GDK_CURRENT_TIME))
    }
}

import Gtk
import Libadwaita
import Localization
import QR

/// Widgets that show a code for another device or app as a QR code and as text, with buttons.
final class CodeOffer {
    private let interface = WidgetTemplate(PackageResources.code_ui)
    private var code: String?

    /// The labels of the buttons, with mnemonics.
    struct Labels {
        let make: String
        let copy: String
    }

    /// Adds the widgets to the box `container`.
    ///
    /// - Parameter onStop: called when the user withdraws the code.
    init(
        in container: Ref, labels: Labels, showToast: @escaping (String) -> Void,
        onMake: @escaping () -> Void,
        onStop: @escaping () -> Void = {}
    ) {
        gtk_button_set_label(interface["create"](), labels.make)
        gtk_button_set_label(interface["copy"](), labels.copy)
        interface["create"].on("clicked") { _ in onMake() }
        interface["stop"].on("clicked") { _ in onStop() }
        interface["copy"].on("clicked") { [unowned self] _ in
            guard let code else { return }
            Clipboard.copyToClipboard(code)
            showToast(localized("Copied"))
        }
        interface["picture"].setAccessibleLabel(localized("QR code to scan"))
        gtk_box_append(container(), interface["offer"]())
    }

    /// Shows a code and a status. If `code` is `nil`, hides the code.
    func show(_ code: String?, status: String?) {
        self.code = code
        let picture = code.flatMap(Self.makeQRCodeTexture)
        gtk_picture_set_paintable(interface["picture"](), picture?())
        interface["picture"].isVisible = picture != nil
        if let picture { g_object_unref(picture.raw) }
        interface["code"].isVisible = code != nil
        interface["code"].text = code ?? ""
        interface["copy"].isVisible = code != nil
        interface["status"].isVisible = status != nil
        interface["status"].text = status ?? ""
    }

    /// Enables or disables the button that creates a code.
    func setCreationEnabled(_ isEnabled: Bool) { interface["create"].isSensitive = isEnabled }

    /// Shows either the button that withdraws the code or the button that creates a code.
    func setShowsStopButton(_ isShown: Bool) {
        interface["create"].isVisible = !isShown
        interface["stop"].isVisible = isShown
    }

    /// Returns a new QR code; `nil` if the text is too long.
    static func makeQRCodeTexture(for text: String) -> Ref? {
        guard let code = try? QRCode(text) else { return nil }
        let png = code.png
        guard let bytes = g_bytes_new(png, gsize(png.count)) else { return nil }
        defer { g_bytes_unref(bytes) }
        return Ref(orNil: gdk_texture_new_from_bytes(bytes, nil))
    }
}

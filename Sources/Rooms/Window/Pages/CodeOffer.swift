import Gtk
import Libadwaita
import Localization
import QR

/// A code for another device or app, as a picture to be scanned and as a text, and the buttons around it.
final class CodeOffer {
    private let interface = Interface(PackageResources.code_ui)
    private var code: String?

    /// What its buttons say, with mnemonics.
    struct Words {
        let make: String
        let copy: String
    }

    /// It stands in `place`, a box. `onStop`: the person wants it gone.
    init(
        in place: Ref, _ words: Words, tell: @escaping (String) -> Void, onMake: @escaping () -> Void,
        onStop: @escaping () -> Void = {}
    ) {
        gtk_button_set_label(interface["make"](), words.make)
        gtk_button_set_label(interface["copy"](), words.copy)
        interface["make"].on("clicked") { _ in onMake() }
        interface["stop"].on("clicked") { _ in onStop() }
        interface["copy"].on("clicked") { [unowned self] _ in
            guard let code else { return }
            Clipboard.put(code)
            tell(localized("Copied"))
        }
        interface["picture"].setSpoken(localized("The code as a picture, to be scanned"))
        gtk_box_append(place(), interface["offer"]())
    }

    /// nil: there is none, or nothing to say about it.
    func show(_ code: String?, status: String?) {
        self.code = code
        let picture = code.flatMap(Self.picture)
        gtk_picture_set_paintable(interface["picture"](), picture?())
        interface["picture"].isVisible = picture != nil
        if let picture { g_object_unref(picture.raw) }
        interface["code"].isVisible = code != nil
        interface["code"].text = code ?? ""
        interface["copy"].isVisible = code != nil
        interface["status"].isVisible = status != nil
        interface["status"].text = status ?? ""
    }

    /// Another one can be made.
    func setMakes(_ canMake: Bool) { interface["make"].isSensitive = canMake }

    /// What is there can be taken away, instead of another one being made.
    func setStops(_ canStop: Bool) {
        interface["make"].isVisible = !canStop
        interface["stop"].isVisible = canStop
    }

    /// New; nil where the text is too long for one.
    static func picture(of text: String) -> Ref? {
        guard let code = try? QRCode(text) else { return nil }
        let png = code.png
        guard let bytes = g_bytes_new(png, gsize(png.count)) else { return nil }
        defer { g_bytes_unref(bytes) }
        return Ref(orNil: gdk_texture_new_from_bytes(bytes, nil))
    }
}

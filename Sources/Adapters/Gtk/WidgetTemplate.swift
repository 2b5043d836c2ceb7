import Libadwaita

/// The objects that a `.ui` file defines.
public struct WidgetTemplate {
    private let objects: [String: Ref]

    /// Builds the objects that `xml` defines, with translated strings. Terminates the program if the file is
    /// invalid. The file is embedded in the program, so an invalid file is a programming error.
    ///
    /// A widget without a parent has a floating reference, like a newly created widget. GTK owns a window
    /// until it is destroyed.
    public init(_ xml: [UInt8]) {
        guard let builder = gtk_builder_new() else { preconditionFailure("GTK made no builder") }
        var failure: UnsafeMutablePointer<GError>?
        let isBuilt = xml.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                gtk_builder_add_from_string(builder, $0.baseAddress, $0.count, &failure)
            }
        }
        guard isBuilt != 0 else {
            preconditionFailure(failure.map { String(cString: $0.pointee.message) } ?? "no interface")
        }
        objects = Self.objects(of: builder)
        // Release the builder, which retains all objects. Otherwise, closed windows would never be freed.
        g_object_unref(Ref(builder).raw)
    }

    /// Returns the object with this ID. Terminates the program if the file does not define the object.
    public subscript(_ id: String) -> Ref {
        guard let object = objects[id] else { preconditionFailure("no object \(id) in the .ui file") }
        return object
    }

    private static func objects(of builder: OpaquePointer) -> [String: Ref] {
        var found: [String: Ref] = [:]
        let list = gtk_builder_get_objects(builder)
        var item = list
        while let entry = item {
            if let object = Ref(orNil: entry.pointee.data) {
                if let id = id(of: object) { found[id] = object }
                if object.isA(gtk_widget_get_type()), gtk_widget_get_parent(object()) == nil {
                    Schemas.disableMissingEmojiChooser(in: object)
                }
                if isUnparented(object) {
                    g_object_ref(object.raw)
                    g_object_force_floating(object())
                }
            }
            item = entry.pointee.next
        }
        g_slist_free(list)
        return found
    }

    private static func id(of object: Ref) -> String? {
        guard object.isA(gtk_buildable_get_type()) else {
            // The builder stores the ID of other objects, such as menus, as object data.
            let id = g_object_get_data(object(), "gtk-builder-id")
            return id.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
        }
        return gtk_buildable_get_buildable_id(object()).map { String(cString: $0) }
    }

    /// Returns whether only the builder retains the object: a widget that has no parent and is not a
    /// window.
    private static func isUnparented(_ object: Ref) -> Bool {
        object.isA(gtk_widget_get_type()) && !object.isA(gtk_window_get_type())
            && gtk_widget_get_parent(object()) == nil
    }
}

public import Libadwaita

/// A GObject pointer that converts to the type that a C function expects. Swift imports some GObject types as
/// typed pointers and some as opaque pointers; `gtk_label_set_text(label(), "x")` compiles for both.
///
/// A `Ref` is not a strong reference: an owner must keep the object alive, such as the parent of a widget.
/// See `Retained`.
public struct Ref: Hashable {
    public let raw: UnsafeMutableRawPointer

    public init(_ pointer: UnsafeMutableRawPointer) { raw = pointer }
    public init(_ pointer: OpaquePointer) { raw = UnsafeMutableRawPointer(pointer) }
    public init<Object>(_ pointer: UnsafeMutablePointer<Object>) { raw = UnsafeMutableRawPointer(pointer) }

    /// Creates a reference; `nil` for a null pointer.
    public init?(orNil pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return nil }
        raw = pointer
    }

    public init?(orNil pointer: OpaquePointer?) {
        self.init(orNil: pointer.map { UnsafeMutableRawPointer($0) })
    }

    public init?<Object>(orNil pointer: UnsafeMutablePointer<Object>?) {
        self.init(orNil: pointer.map { UnsafeMutableRawPointer($0) })
    }

    public func callAsFunction<Object>() -> UnsafeMutablePointer<Object> {
        raw.assumingMemoryBound(to: Object.self)
    }

    public func callAsFunction() -> OpaquePointer { OpaquePointer(raw) }

    /// Returns whether the object is an instance of `type` or of a subtype.
    public func isA(_ type: GType) -> Bool {
        g_type_check_instance_is_a(self() as UnsafeMutablePointer<GTypeInstance>, type) != 0
    }
}

/// A strong reference to an object.
@MainActor public final class Retained {
    public let ref: Ref

    /// Takes ownership of the reference that a constructor returned, floating or not.
    public init(adopting ref: Ref) {
        self.ref = ref
        if g_object_is_floating(ref.raw) != 0 { g_object_ref_sink(ref.raw) }
    }

    /// Adds a reference to an object that also has other owners.
    public init(sharing ref: Ref) {
        self.ref = ref
        g_object_ref(ref.raw)
    }

    isolated deinit { g_object_unref(ref.raw) }
}

public import Libadwaita

/// A GObject pointer that converts to the type that a C function expects. Swift imports some GObject types as
/// typed pointers and some as opaque pointers; `gtk_label_set_text(label(), "x")` compiles for both.
///
/// A `Ref` does not retain the object. An owner, such as the parent of a widget or a `Retained`, must keep
/// the object alive.
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

/// A strong reference to an object, released in `deinit`.
@MainActor public final class Retained {
    public let ref: Ref

    /// Takes ownership of a new object. Sinks the reference if it is floating.
    public init(adopting ref: Ref) {
        self.ref = ref
        if g_object_is_floating(ref.raw) != 0 { g_object_ref_sink(ref.raw) }
    }

    /// Retains an object that other owners also retain.
    public init(sharing ref: Ref) {
        self.ref = ref
        g_object_ref(ref.raw)
    }

    isolated deinit { g_object_unref(ref.raw) }
}

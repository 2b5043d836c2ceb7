public import Libadwaita

/// An object of GTK, as the C functions want it. Some of their types arrive in Swift as typed pointers and
/// some as opaque ones: `gtk_label_set_text(label(), "x")` is right for both.
///
/// It holds no reference: who shows an object keeps it alive, which for a widget is its parent. See `Retained`.
public struct Ref: Hashable {
    public let raw: UnsafeMutableRawPointer

    public init(_ pointer: UnsafeMutableRawPointer) { raw = pointer }
    public init(_ pointer: OpaquePointer) { raw = UnsafeMutableRawPointer(pointer) }
    public init<Object>(_ pointer: UnsafeMutablePointer<Object>) { raw = UnsafeMutableRawPointer(pointer) }

    /// nil where a function found nothing.
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

    /// Whether it is of `type` or of one below it.
    public func isA(_ type: GType) -> Bool {
        g_type_check_instance_is_a(self() as UnsafeMutablePointer<GTypeInstance>, type) != 0
    }
}

/// An object that lives at least as long as this.
@MainActor public final class Retained {
    public let ref: Ref

    /// Takes a new object over: the reference that its maker returned, floating or not.
    public init(adopting ref: Ref) {
        self.ref = ref
        if g_object_is_floating(ref.raw) != 0 { g_object_ref_sink(ref.raw) }
    }

    /// Keeps an object alive that others own.
    public init(sharing ref: Ref) {
        self.ref = ref
        g_object_ref(ref.raw)
    }

    isolated deinit { g_object_unref(ref.raw) }
}

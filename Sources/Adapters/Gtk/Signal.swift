import Libadwaita

extension Ref {
    /// Connects `handler` to a signal, until the handler is disconnected or the object is finalized. The
    /// object retains `handler`, so the handler must not capture an owner of the object strongly (reference
    /// cycle).
    @discardableResult
    public func on(_ signal: String, _ handler: @escaping (SignalArguments) -> Void) -> SignalConnection {
        connect(signal) { arguments, _ in handler(arguments) }
    }

    /// Connects to a signal whose handler returns a Boolean, usually `true` if the event was handled.
    @discardableResult
    public func onSignalReturningBool(_ signal: String, _ handler: @escaping (SignalArguments) -> Bool)
        -> SignalConnection
    {
        connect(signal) { arguments, result in
            let answer = handler(arguments)
            if let result { g_value_set_boolean(result, answer ? 1 : 0) }
        }
    }

    /// Connects to a signal whose handler returns an integer.
    @discardableResult
    public func onSignalReturningInt(_ signal: String, _ handler: @escaping (SignalArguments) -> Int32)
        -> SignalConnection
    {
        connect(signal) { arguments, result in
            let answer = handler(arguments)
            if let result { g_value_set_int(result, answer) }
        }
    }

    /// Calls `handler` when a property changes.
    @discardableResult
    public func onChange(of property: String, _ handler: @escaping () -> Void) -> SignalConnection {
        on("notify::" + property) { _ in handler() }
    }

    private func connect(_ signal: String, _ body: @escaping SignalHandler.Body) -> SignalConnection {
        let closure = SignalHandler(body).makeClosure()
        return SignalConnection(object: self, id: g_signal_connect_closure(raw, signal, closure, 0))
    }
}

/// A connection of a handler to a signal. The handler can be blocked.
public struct SignalConnection {
    let object: Ref
    let id: gulong

    /// Runs `body` while the handler is blocked, so that changes by the program are not treated as changes by
    /// the user.
    public func withoutSignals<Result>(_ body: () throws -> Result) rethrows -> Result {
        g_signal_handler_block(object.raw, id)
        defer { g_signal_handler_unblock(object.raw, id) }
        return try body()
    }

    /// Runs `body` while the handlers of all `connections` are blocked.
    public static func withoutSignals(of connections: [SignalConnection], _ body: () -> Void) {
        for one in connections { g_signal_handler_block(one.object.raw, one.id) }
        defer { for one in connections { g_signal_handler_unblock(one.object.raw, one.id) } }
        body()
    }
}

/// The arguments of a signal, without the emitting object. The arguments are valid only until the handler
/// returns.
public struct SignalArguments {
    fileprivate let values: UnsafePointer<GValue>
    fileprivate let count: Int

    private func value(at index: Int) -> UnsafePointer<GValue> {
        precondition(index + 1 < count, "the signal has no argument \(index)")
        return values + index + 1
    }

    public func object(at index: Int) -> Ref? { Ref(orNil: g_value_get_object(value(at: index))) }

    /// Returns an argument of a boxed type, such as a file list.
    public func boxed(at index: Int) -> UnsafeMutableRawPointer? { g_value_get_boxed(value(at: index)) }

    public func string(at index: Int) -> String? {
        g_value_get_string(value(at: index)).map { String(cString: $0) }
    }
    public func bool(at index: Int) -> Bool { g_value_get_boolean(value(at: index)) != 0 }
    public func int(at index: Int) -> Int { Int(g_value_get_int(value(at: index))) }
    public func uint(at index: Int) -> UInt32 { g_value_get_uint(value(at: index)) }
    public func enumeration(at index: Int) -> Int32 { g_value_get_enum(value(at: index)) }
    public func flags(at index: Int) -> UInt32 { g_value_get_flags(value(at: index)) }

    /// Returns the string in a variant argument; `nil` if the variant is not a string.
    public func variantString(at index: Int) -> String? {
        guard let variant = g_value_get_variant(value(at: index)),
            g_variant_classify(variant) == G_VARIANT_CLASS_STRING
        else { return nil }
        return String(cString: g_variant_get_string(variant, nil))
    }
}

/// The user data of a GLib closure. All signals share one marshaller, which calls the handler.
private final class SignalHandler {
    typealias Body = (SignalArguments, UnsafeMutablePointer<GValue>?) -> Void

    private let body: Body

    init(_ body: @escaping Body) { self.body = body }

    /// Creates a floating closure that retains this object until GLib finalizes the closure.
    func makeClosure() -> UnsafeMutablePointer<GClosure> {
        let data = Unmanaged.passRetained(self).toOpaque()
        guard let closure = g_closure_new_simple(UInt32(MemoryLayout<GClosure>.size), data) else {
            preconditionFailure("GLib made no closure")
        }
        g_closure_set_marshal(closure, marshal)
        g_closure_add_finalize_notifier(closure, data, releaseHandler)
        return closure
    }

    fileprivate func invoke(
        with arguments: SignalArguments, storingResultIn result: UnsafeMutablePointer<GValue>?
    ) {
        body(arguments, result)
    }
}

/// The pointers of a signal emission. `Sendable` because GTK emits signals only on the main thread.
nonisolated private struct SignalCall: @unchecked Sendable {
    let handler: UnsafeMutableRawPointer?
    let result: UnsafeMutablePointer<GValue>?
    let count: UInt32
    let values: UnsafePointer<GValue>?
}

nonisolated private func marshal(
    closure: UnsafeMutablePointer<GClosure>?, result: UnsafeMutablePointer<GValue>?, count: UInt32,
    values: UnsafePointer<GValue>?, hint: gpointer?, data: gpointer?
) {
    let call = SignalCall(handler: closure?.pointee.data, result: result, count: count, values: values)
    MainActor.assumeIsolated {
        guard let handler = call.handler, let values = call.values else { return }
        Unmanaged<SignalHandler>.fromOpaque(handler).takeUnretainedValue()
            .invoke(
                with: SignalArguments(values: values, count: Int(call.count)), storingResultIn: call.result)
    }
}

nonisolated private func releaseHandler(data: gpointer?, closure: UnsafeMutablePointer<GClosure>?) {
    let call = SignalCall(handler: data, result: nil, count: 0, values: nil)
    MainActor.assumeIsolated {
        guard let handler = call.handler else { return }
        Unmanaged<SignalHandler>.fromOpaque(handler).release()
    }
}

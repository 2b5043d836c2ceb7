/// A call that may be repeated where its answer was lost: with the same key it is done once.
public protocol RepeatableMethod: ControlMethod {
    /// A UUID of the caller's.
    var idempotencyKey: String? { get set }
}

public enum TextLimit {
    /// The maximum size of a message in bytes; the API rejects longer messages.
    public static let message = 1 << 20
}

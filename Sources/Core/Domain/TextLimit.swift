/// The size limits of texts, in bytes.
public enum TextLimit {
    /// The limit of a message. The API accepts no longer one.
    public static let message = 1 << 20
}

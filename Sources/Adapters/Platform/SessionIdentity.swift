/// What tells one session from the next: the ids of a notification server mean nothing after a restart of
/// the machine, or on another bus.
public struct SessionIdentity: Hashable, Sendable {
    /// Of the running kernel; nil where there is no /proc.
    public let bootID: String?
    /// nil where the environment names no session bus.
    public let busAddress: String?

    public init(environment: [String: String]) {
        let bytes = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
        bootID = bytes.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
        busAddress = environment.value(of: "DBUS_SESSION_BUS_ADDRESS")
    }
}

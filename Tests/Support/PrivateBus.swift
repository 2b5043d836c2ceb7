import Foundation

/// A private session bus without activatable services: only programs that the test starts are on the bus.
public final class PrivateBus: Sendable {
    /// The value of `DBUS_SESSION_BUS_ADDRESS`.
    public let address: String
    private let directory: TemporaryDirectory
    private let daemon: AttachedProcess

    public convenience init() async throws { try await self.init(in: TemporaryDirectory()) }

    private init(in directory: TemporaryDirectory) async throws {
        self.directory = directory
        address = "unix:path=" + directory.file("bus")
        let configuration = directory.file("bus.conf")
        try Self.configuration(listening: address)
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        daemon = try await AttachedProcess(
            ["dbus-daemon", "--nofork", "--print-address=1", "--config-file=\(configuration)"],
            environment: Self.path)
        try await eventually("the address of the bus") { [daemon] in !daemon.lines.isEmpty }
    }

    /// The environment for a process on this bus.
    public var environment: [String: String] {
        Self.path.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
    }

    /// Terminates the bus and its connections, as when a session ends.
    public func killProcess() async throws { try await daemon.killProcess() }

    /// Starts a new bus at the address of this terminated bus.
    public func makeSuccessor() async throws -> PrivateBus { try await PrivateBus(in: directory) }

    /// Waits until the bus name of the notification server has an owner, or no owner if `isThere` is false.
    public func notificationServer(isThere: Bool = true) async throws {
        try await wait(for: "org.freedesktop.Notifications", isThere: isThere)
    }

    /// Waits until the bus name `service` has an owner, or no owner if `isThere` is false.
    func wait(for service: String, isThere: Bool) async throws {
        try await eventually("\(service) \(isThere ? "on" : "off") the bus") {
            try await AttachedProcess.output(
                of: [
                    "dbus-send", "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                    "org.freedesktop.DBus.NameHasOwner", "string:\(service)",
                ], environment: Self.path
            ).contains("boolean \(isThere)")
        }
    }

    private static let path = ["PATH": "/usr/local/bin:/usr/bin:/bin"]

    private static func configuration(listening address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }
}

import Foundation

/// A private session bus. The only programs on the bus are those that the test starts and the
/// notification server of `installExitingServer`.
public final class PrivateBus: Sendable {
    /// The value of `DBUS_SESSION_BUS_ADDRESS`.
    public let address: String
    private let directory: TemporaryDirectory
    private let services: String
    private let daemon: AttachedProcess

    public convenience init() async throws { try await self.init(in: TemporaryDirectory()) }

    private init(in directory: TemporaryDirectory) async throws {
        self.directory = directory
        address = "unix:path=" + directory.file("bus")
        let configuration = directory.file("bus.conf")
        services = directory.file("services")
        try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
        try Self.configuration(listening: address, services: services)
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

    /// Installs a notification server that the bus starts for each call, and that exits at once. Returns a
    /// function that reads the number of starts.
    public func installExitingServer() throws -> () throws -> Int {
        let (program, starts) = (directory.file("server.sh"), directory.file("starts"))
        try "".write(toFile: starts, atomically: true, encoding: .utf8)
        try "#!/bin/sh\necho start >> '\(starts)'\nexit 3\n"
            .write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=\(program)\n"
            .write(toFile: services + "/server.service", atomically: true, encoding: .utf8)
        return { try String(contentsOfFile: starts, encoding: .utf8).split(separator: "\n").count }
    }

    /// Waits until the bus name of the notification server has an owner, or no owner if `isThere` is false.
    public func waitForNotificationServer(isThere: Bool = true) async throws {
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

    private static func configuration(listening address: String, services: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(services)</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }
}

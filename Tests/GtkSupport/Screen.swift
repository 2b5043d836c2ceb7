import Glibc
import Gtk
import Libadwaita
import TestSupport

/// Runs `body` in this process with GTK on a virtual screen. The process must be the child process of an exit
/// test. A critical warning from GTK terminates the process.
@MainActor public func withScreen(_ body: @MainActor () async throws -> Void) async throws {
    let bus = try await PrivateBus()
    let desktop = try await VirtualDesktop(on: bus)
    let environment = [
        "DISPLAY": desktop.display, "DBUS_SESSION_BUS_ADDRESS": bus.address, "G_DEBUG": "fatal-criticals",
        "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
    ]
    for (name, value) in environment { setenv(name, value, 1) }
    guard Application.connectToDisplay() else { throw NoScreen() }
    adw_init()
    try await body()
    withExtendedLifetime(desktop) {}
}

private struct NoScreen: Error {}

/// Runs the main loop of GLib until `condition` holds.
@MainActor public func loop(until condition: @MainActor () -> Bool) {
    while !condition() { g_main_context_iteration(nil, 1) }
}

import Glibc
import Gtk
import Libadwaita
import TestSupport

/// Connects this process to a virtual screen, initializes GTK and runs `body`. The process is a child of a
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

/// Runs GLib's main loop until `condition` holds.
@MainActor public func loop(until condition: @MainActor () -> Bool) {
    while !condition() { g_main_context_iteration(nil, 1) }
}

import Libadwaita

extension Ref {
    /// Calls `prepare` each time this menu button is about to open its popover. Content that is created
    /// when the popover is already shown gets no focus.
    ///
    /// The button retains `prepare`, so `prepare` must not capture an owner of the button strongly
    /// (reference cycle).
    public func beforeMenuOpens(_ prepare: @escaping () -> Void) {
        let data = Unmanaged.passRetained(MenuPreparation(prepare)).toOpaque()
        gtk_menu_button_set_create_popup_func(self(), prepareMenu, data, releasePreparation)
    }
}

private final class MenuPreparation {
    let prepare: () -> Void

    init(_ prepare: @escaping () -> Void) { self.prepare = prepare }
}

/// The user data of a menu button. `Sendable` because GTK passes the data to callbacks only on the main
/// thread.
nonisolated private struct MenuCall: @unchecked Sendable { let data: gpointer? }

nonisolated private func prepareMenu(button: OpaquePointer?, data: gpointer?) {
    let call = MenuCall(data: data)
    MainActor.assumeIsolated {
        guard let data = call.data else { return }
        Unmanaged<MenuPreparation>.fromOpaque(data).takeUnretainedValue().prepare()
    }
}

nonisolated private func releasePreparation(data: gpointer?) {
    let call = MenuCall(data: data)
    MainActor.assumeIsolated {
        guard let data = call.data else { return }
        Unmanaged<MenuPreparation>.fromOpaque(data).release()
    }
}

import Testing

@testable import AccessServer

/// Tests of finding the app ID in a unit name, with unit names from GNOME, Plasma, Xfce, snapd, Flatpak and
/// systemd-run.
struct AppUnitTests {
    private static let user = "0::/user.slice/user-1000.slice/user@1000.service/"

    @Test(arguments: [
        ("app.slice/app-gnome-org.gnome.Calculator-4711.scope", "org.gnome.Calculator"),
        ("app.slice/app-gnome-firefox-2233.scope", "firefox"),
        (
            "app.slice/app-gnome-org.gnome.Evolution\\x2dalarm\\x2dnotify-1842.scope",
            "org.gnome.Evolution-alarm-notify"
        ),
        ("app.slice/app-org.kde.kate-0123456789abcdef0123456789abcdef.scope", "org.kde.kate"),
        ("app.slice/app-org.kde.dolphin@0123456789abcdef0123456789abcdef.service", "org.kde.dolphin"),
        ("app.slice/app-org.kde.kdeconnect.daemon@autostart.service", "org.kde.kdeconnect.daemon"),
        ("app.slice/app-niri-org.example.Notes-1.scope", "org.example.Notes"),
        ("app.slice/app-org.example.Notes.service", "org.example.Notes"),
    ])
    func `The app ID is parsed from the name of a systemd unit that a desktop environment created`(
        path: String, id: String
    ) throws {
        let group = try #require(ControlGroup(Self.user + path + "\n"))
        let app = try #require(AppUnit(group.unit))
        #expect(app.id == id)
        #expect(app.launcher == .desktop)
    }

    @Test(arguments: [
        // The scope of all programs in an Xfce session or another session without app scopes.
        "0::/user.slice/user-1000.slice/session-2.scope",
        // Units of systemd-run.
        user + "app.slice/run-u12.service", user + "app.slice/run-r0123456789abcdef.scope",
        // The scope of a program that runs in a terminal must not be mistaken for the terminal app.
        user + "app.slice/app-org.gnome.Terminal.slice/vte-spawn-9f1d4e2a-5c6b.scope",
        user + "app.slice/app-org.kde.konsole-4711.scope/tab(4712).scope",
        user + "app.slice/dbus.socket", user + "app.slice/dbus-:1.2-org.gnome.Nautilus@0.service",
        user + "app.slice/cutied.service", user + "app.slice/app-org.example.Notes.slice",
        // Invalid escape sequences, which systemd never creates.
        user + "app.slice/app-a\\q-1.scope", user + "app.slice/app-a\\x0-1.scope",
        user + "app.slice/app-a\\x00b-1.scope", user + "app.slice/app-a\\x0ab-1.scope",
        user + "app.slice/app-a\\xff-1.scope", user + "app.slice/app-1.scope",
        user + "app.slice/app--1.scope", user + "app.slice/app-a-b-c-1.scope",
        user + "app.slice/app-a-.scope",
        user + "app.slice/app-@1.service", user + "app.slice/app-.scope", user + "app.slice/.scope",
        // A path outside the cgroup namespace of the reader.
        "0::/../../app.slice/app-org.example.Notes-1.scope",
        "0::/", "", "0::", "x", "12:pids:/app-org.example.Notes-1.scope",
    ])
    func `A systemd unit that was not created by a desktop environment yields no app ID`(line: String) {
        #expect(ControlGroup(line + "\n").flatMap { AppUnit($0.unit) } == nil)
    }

    @Test func `The cgroup hierarchy of systemd is used if there are several hierarchies`() {
        let lines = """
            12:pids:/user.slice/app-pids.Forged-1.scope
            1:name=systemd:/user.slice/user-1000.slice/user@1000.service/app-gnome-firefox-1.scope
            0::/
            """
        #expect(ControlGroup(lines).flatMap { AppUnit($0.unit) }?.id == "firefox")
        let unified = "0::/app.slice/app-org.kde.kate-1.scope\n1:name=systemd:/app-b-1.scope\n"
        #expect(ControlGroup(unified).flatMap { AppUnit($0.unit) }?.id == "org.kde.kate")
    }

    @Test(arguments: [
        ("snap.firefox.firefox-8f3c0f8a-52a8-4b35-8e4c-8b1f6c2b7d10.scope", "firefox.firefox"),
        ("snap.firefox.firefox.8f3c0f8a-52a8-4b35-8e4c-8b1f6c2b7d10.scope", "firefox.firefox"),
        ("snap.code.url-handler-8f3c0f8a-52a8-4b35-8e4c-8b1f6c2b7d10.scope", "code.url-handler"),
        ("snap.lxd.daemon.service", "lxd.daemon"),
    ])
    func `The name of a snap is parsed from the name of its systemd unit`(unit: String, id: String) throws {
        let app = try #require(AppUnit(unit))
        #expect(app.id == id)
        #expect(app.launcher == .snap)
    }

    @Test(arguments: [
        "snap.scope", "snap.a.scope", "snap..b.service", "snap.a.b.c.d.scope", "snap.a b.c.scope",
    ])
    func `A systemd unit whose name only resembles a snap's unit name is not assigned to a snap`(unit: String)
    {
        #expect(AppUnit(unit) == nil)
    }

    @Test(
        arguments: [
            ("[Application]\nname=org.example.Notes\nruntime=x\n", "org.example.Notes"),
            (
                "[Instance]\nname=org.example.Other\n\n[Application]\nname=org.example.Notes\n",
                "org.example.Notes"
            ),
            ("[Application]\nruntime=x\n[Instance]\nname=org.example.Other\n", nil), ("", nil),
            ("name=x", nil),
        ] as [(String, String?)])
    func `The app ID is read from the Flatpak info file`(text: String, id: String?) {
        #expect(FlatpakInfo(text).application == id)
    }
}

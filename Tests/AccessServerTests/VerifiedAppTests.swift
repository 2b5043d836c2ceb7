import Domain
import Testing
import VarlinkSocket

@testable import AccessServer

/// Tests that the calling app is identified by the information that the kernel and systemd provide
/// about its process.
struct VerifiedAppTests {
    private static let scope = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
    private static let python = ProcessFacts.Executable(path: "/usr/bin/python3.11", device: 1, inode: 2)

    private func identity(_ facts: ProcessFacts?, run: String = "1@1") -> AppIdentity {
        AppIdentity(facts, run: run)
    }

    private func flatpak(_ info: ProcessFacts.FlatpakInfo, sharesMounts: Bool? = false) -> ProcessFacts {
        ProcessFacts(
            cgroup: Self.scope + "app-flatpak-org.example.Notes-1.scope\n", executable: Self.python,
            sharesMounts: sharesMounts, flatpakInfo: info)
    }

    @Test func `A Flatpak app is verified if its info file and its systemd scope name the same app`() {
        let app = identity(flatpak(.text("[Application]\nname=org.example.Notes\n")))
        #expect(app.kind == .flatpak)
        #expect(app.id == "org.example.Notes")
        #expect(app.isVerified && app.isPersistent)
        #expect(app == identity(flatpak(.text("[Application]\nname=org.example.Notes\n")), run: "2@2"))
    }

    @Test func `A forged Flatpak info file does not verify an app`() {
        let forged = "[Application]\nname=org.example.Bank\n"
        #expect(identity(flatpak(.text(forged))).kind == .unidentified)
        // A program that bubblewrap starts has no app scope, so only the forged file names an app.
        let plain = ProcessFacts(
            cgroup: "0::/user.slice/user-1000.slice/session-2.scope", executable: Self.python,
            sharesMounts: false, flatpakInfo: .text(forged))
        #expect(identity(plain).kind == .unidentified)
        #expect(!identity(plain).isVerified)
        // A helper that Flatpak starts outside the sandbox shares the system's mounts, so it is not a Flatpak
        // app.
        #expect(identity(flatpak(.absent, sharesMounts: true)).kind == .executable)
        #expect(identity(flatpak(.absent)).kind == .unidentified)
        #expect(identity(flatpak(.hidden)).kind == .unidentified)
    }

    @Test func `An app is identified by its systemd scope if the files of its process are not readable`() {
        let hidden = flatpak(.hidden, sharesMounts: nil)
        #expect(identity(hidden).kind == .flatpak)
        let scope = ProcessFacts(cgroup: Self.scope + "app-gnome-firefox-1.scope")
        #expect(identity(scope).kind == .scope)
        let plain = ProcessFacts(cgroup: "0::/user.slice/user-1000.slice/session-2.scope", name: "notes")
        #expect(identity(plain).kind == .unidentified)
        #expect(!identity(plain).isPersistent)
        #expect(identity(plain).name == "notes")
    }

    @Test(
        arguments: [
            ("snap.firefox.firefox (enforce)", true), ("snap.firefox.firefox", true), (nil, true),
            ("unconfined", false), ("snap.other.other (enforce)", false),
        ] as [(String?, Bool)])
    func `A snap is verified if its AppArmor label is unknown or matches the name of its unit`(
        label: String?, verified: Bool
    ) {
        let app = identity(
            ProcessFacts(
                cgroup: Self.scope + "snap.firefox.firefox-8f3c0f8a-52a8-4b35-8e4c-8b1f6c2b7d10.scope",
                sharesMounts: false, securityLabel: label))
        #expect(app.isVerified == verified)
        #expect(app.kind == (verified ? .snap : .unidentified))
    }

    @Test func `A program outside Flatpak and snap is identified by its executable and is not verified`() {
        let facts = ProcessFacts(
            cgroup: "0::/user.slice/user-1000.slice/session-2.scope", executable: Self.python,
            sharesMounts: true)
        let app = identity(facts)
        #expect(app.kind == .executable)
        #expect(!app.isVerified && app.isPersistent)
        #expect(app.name == "python3.11")
        #expect(app == identity(facts, run: "2@2"))
        var other = facts
        other.executable?.inode = 3
        #expect(app != identity(other))
        other = facts
        other.executable?.path = "/tmp/python3.11"
        #expect(app != identity(other))
    }

    @Test func `A program in another mount namespace is identified by its process and not by its executable`()
    {
        var facts = ProcessFacts(executable: Self.python, sharesMounts: false)
        let app = identity(facts, run: "7@100")
        #expect(app.kind == .unidentified)
        #expect(app == identity(facts, run: "7@100"))
        #expect(app != identity(facts, run: "7@200"))
        facts.sharesMounts = true
        #expect(app != identity(facts, run: "7@100"))
        #expect(!app.isPersistent)
        #expect(identity(nil, run: "7@100").kind == .unidentified)
    }

    @Test func `An app cannot use an ID that differs from its verified ID`() {
        let app = identity(ProcessFacts(cgroup: Self.scope + "app-gnome-org.example.Notes-1.scope"))
        #expect(!app.contradicts(claimedID: "org.example.Notes"))
        #expect(!app.contradicts(claimedID: "org.example.Notes.desktop"))
        #expect(app.contradicts(claimedID: "org.example.Bank"))
        #expect(app.contradicts(claimedID: ""))
        let snap = identity(
            ProcessFacts(cgroup: Self.scope + "snap.notes.web-8f3c0f8a-52a8-4b35-8e4c-8b1f6c2b7d10.scope"))
        #expect(!snap.contradicts(claimedID: "notes") && !snap.contradicts(claimedID: "notes.web"))
        #expect(snap.contradicts(claimedID: "notes.other"))
        #expect(!identity(nil).contradicts(claimedID: "org.example.Bank"))
    }

    @Test func `The app name in a question is limited to one line of 64 characters`() {
        let name = identity(
            ProcessFacts(name: "Notes\n\u{202e}wants\u{7}" + String(repeating: "x", count: 99))
        ).name
        #expect(name.hasPrefix("Noteswantsx"))
        #expect(name.count == 64)
        #expect(identity(ProcessFacts(name: "\n")).name == "?")
        #expect(identity(ProcessFacts(name: "می\u{200C}نویس")).name == "می\u{200C}نویس")
    }
}

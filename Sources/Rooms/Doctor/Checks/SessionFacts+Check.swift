import Desktop

extension SessionFacts {
    var checks: [Check] { [busCheck, serverCheck] }

    private var busCheck: Check {
        let name = "session bus"
        switch bus {
        case .unnamed:
            return Check(
                name, .failure, "DBUS_SESSION_BUS_ADDRESS is not set and XDG_RUNTIME_DIR has no bus",
                advice: "log in through a session, or start one with dbus-run-session (package dbus)")
        case .silent(let address, let reason):
            return Check(
                name, .failure, "nobody answers at \(address) (\(reason))",
                advice: "log in anew, or correct DBUS_SESSION_BUS_ADDRESS")
        case .answers(let address): return Check(name, .ok, address)
        case .untried(let address): return Check(name, .ok, "\(address), as the environment says")
        }
    }

    private var serverCheck: Check {
        let name = "notification server"
        switch server {
        case .answers(let server): return Self.check(name, server)
        case .missing:
            return Check(
                name, .failure, "nobody shows notifications on this bus",
                advice: "start one, for instance dunst or mako; desktops bring their own")
        case .hangs(let seconds):
            return Check(name, .failure, "it does not answer within \(seconds) s", advice: "restart it")
        case .notAsked: return Check(name, .skipped, "there is no bus to ask on")
        }
    }

    private static func check(_ name: String, _ server: NotificationServer) -> Check {
        let who = [server.name, server.version].filter { !$0.isEmpty }.joined(separator: " ")
        let lacks = ["actions", "body"].filter { !server.capabilities.contains($0) }
        guard lacks.isEmpty else {
            let meaning = lacks.contains("body") ? "messages show without text" : "pop-ups have no buttons"
            return Check(
                name, .warning, "\(who) lacks \(lacks.joined(separator: " and ")): \(meaning)",
                advice: "answer with `cutied ctl`, or use another server, for instance dunst")
        }
        let extras = ["body-markup", "persistence", "sound"].filter(server.capabilities.contains)
        return Check(name, .ok, ([who + " with actions", "body"] + extras).joined(separator: ", "))
    }
}

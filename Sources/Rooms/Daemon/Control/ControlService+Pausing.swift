import ControlAPI
import CutieAPI
import Inbox
import Store

extension ControlService {
    /// Of a pause, in seconds.
    private static let longest = 10 * 366 * 86_400

    func pause(_ call: Pause) throws -> Pause.Reply {
        if let seconds = call.seconds, !(1...Self.longest).contains(seconds) {
            throw InvalidArgument(parameter: "seconds", reason: "it must be from 1 to \(Self.longest)")
        }
        let now = surroundings.moment
        let end = call.seconds.map { now.uptime + .seconds($0) }
        let pause = Policy.Pause(end: end, isPrivate: call.private ?? false)
        try switches.set(pause: pause)
        return Pause.Reply(pausedUntil: pause.until(at: now)?.milliseconds, private: pause.isPrivate)
    }

    func resume() throws -> Resume.Reply {
        try switches.set(pause: nil)
        return Resume.Reply()
    }

    func notifications(_ call: Notifications) throws -> Notifications.Reply {
        if let enabled = call.enabled {
            try switches.set(enabled: enabled)
            try questions.withdraw(.permission, as: .closed)
        }
        return Notifications.Reply(enabled: announcer.policy.isEnabled)
    }
}

import CutiE
import Foundation

/// Runs a test program by name: `SDKPrograms NAME APP_ID URL [ARGUMENT]...`.
@main
struct Main {
    static func main() async throws {
        let words = CommandLine.arguments
        let (name, appId, url, rest) = (words[1], words[2], words[3], Array(words.dropFirst(4)))
        switch name {
        case "configure":
            SynchronousPrograms.configure(appId)
            await AsynchronousPrograms.configure(appId)
        case "configure-completely": SynchronousPrograms.configureCompletely(appId, url)
        case "configure-completely-async": await AsynchronousPrograms.configureCompletely(appId, url)
        case "create": SynchronousPrograms.create(appId, url)
        case "create-async": await AsynchronousPrograms.create(appId, url)
        case "use-sandbox": await LinkProgram.useSandbox(appId, url)
        case "open-feedback-app": try await LinkProgram.open(appId, url)
        default:
            CutiE.shared.configure(appId: appId, apiURL: url)
            try await run(name, rest)
        }
        // Waits until all values that the program set have been sent.
        try? await CutiE.shared.ready()
    }

    private static func run(_ name: String, _ rest: [String]) async throws {
        switch name {
        case "list": try await AsynchronousPrograms.list()
        case "read": try await AsynchronousPrograms.read(rest[0])
        case "send": try await AsynchronousPrograms.send(rest[0], rest[1])
        case "push":
            SynchronousPrograms.push()
            await AsynchronousPrograms.push()
            fflush(nil)
            // The badge is set in the background, so the program runs until the test kills it.
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
        case "link": try await AsynchronousPrograms.link()
        case "consent":
            SynchronousPrograms.consent()
            await AsynchronousPrograms.consent()
        case "consent-known":
            try await CutiE.shared.ready()
            let cutiE = CutiE.shared
            print("enabled \(cutiE.analyticsEnabled) asked \(cutiE.hasAskedForAnalyticsConsent)")
        case "delegate": try await follow(ReplyDelegate(), isHandling: false)
        case "opening": try await follow(OpeningDelegate(), isHandling: rest.contains("handling"))
        default: fatalError("there is no program \(name)")
        }
    }

    /// Sets a delegate and waits until the test kills the program.
    private static func follow(_ delegate: any CutiEPushNotificationDelegate, isHandling: Bool) async throws {
        CutiE.shared.pushNotifications.handlesOpening = isHandling
        CutiE.shared.pushNotifications.delegate = delegate
        try await CutiE.shared.ready()
        print("ready")
        fflush(nil)
        try await Task.sleep(nanoseconds: 3_600_000_000_000)
        withExtendedLifetime(delegate) {}
    }
}

import TestSupport
import Testing
import Foundation
@Suite struct Tmp {
  @Test func timing() async throws {
    let clock = ContinuousClock(); var t = clock.now
    func lap(_ s: String) { let n = clock.now; print("LAP", s, n - t); t = n }
    let bus = try await PrivateBus(); lap("bus")
    let sb = try await SandboxFixture(); lap("sandbox")
    let rec = try await RecordingNotificationServer(on: bus); lap("recorder")
    let d = try DaemonFixture(session: bus.environment, configuration: "app_id: app_sandbox\napi_url: \(sb.url)\n")
    try await d.start(); lap("daemon")
    try await d.connected(); lap("connected")
    let c = try await d.converse("x"); lap("converse")
    _ = try await sb.reply("Hi", in: c); lap("reply")
    _ = try await rec.notifications(atLeast: 1); lap("popup")
    _ = try await d.stop(); lap("stop")
    try await rec.die(); lap("rec die")
    try await sb.stop(); lap("sb stop")
    try await bus.die(); lap("bus die")
  }
}

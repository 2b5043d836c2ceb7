import GtkSupport
import Libadwaita
import Runtime
import Testing

@testable import Gtk

/// Tests that the main loop of GLib runs Swift jobs and sleeps when idle.
@Suite struct `The main loop` {
    /// An actor with the executor that programs install for the main actor. The main actor of the test
    /// process has another executor.
    private actor Resident {
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            GLibMainExecutor.shared.asUnownedSerialExecutor()
        }
        private(set) var visits = 0
        func visit() { visits += 1 }
    }

    @Test func `A job from another thread wakes the main loop`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                GLibMainExecutor.shared.attachToMainContext()
                let resident = Resident()
                let isDone = Locked(false)
                EventLoop.shared.perform {
                    Task(executorPreference: EventLoop.shared) {
                        for _ in 0..<1000 { await resident.visit() }
                        #expect(await resident.visits == 1000)
                        isDone.withLock { $0 = true }
                        g_main_context_wakeup(nil)
                    }
                }
                loop { isDone.withLock { $0 } }
            }
        }
    }

    @Test func `A timer fires once, and a timer that was released does not fire`() async {
        await #expect(processExitsWith: .success) {
            try await withScreen {
                var rings: [String] = []
                var forgotten: Timer? = Timer(after: .zero) { rings.append("forgotten") }
                #expect(forgotten?.isPending == true)
                forgotten = nil
                let timer = Timer(after: .milliseconds(5)) { rings.append("timer") }
                let idle = Timer(whenIdle: { rings.append("idle") })
                loop { rings.count == 2 }
                #expect(Set(rings) == ["timer", "idle"])
                #expect(!timer.isPending && !idle.isPending)
            }
        }
    }
}

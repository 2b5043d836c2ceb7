import Foundation
import TestSupport
import Testing

@Suite struct `Clock changes` {
    private static let jumps: [(own: Int, server: Int)] = [
        (10 * 366 * 86_400, 2400), (-366 * 86_400, 0), (0, 2400), (86_400, -1200), (0, 0),
    ]

    /// The server's clock is first ahead and then corrected. The daemon's clock is wrong by years.
    @Test(arguments: ForcedTransport.allCases)
    func `No reply and no read state is lost if the clocks of the server and the daemon are wrong`(
        _ transport: ForcedTransport
    )
        async throws
    {
        let (own, server) = (try await SetClock(), try await SetClock())
        try await EndToEndFixture.with {
            transport.configure(&$0)
            $0.environment = own.environment
            $0.serverEnvironment = server.environment
        } _: { fixture in
            var replies = try await ConversationActions(of: 3, in: fixture)
            var damage = Damage(of: "clocks set", transport, rounds: Self.jumps.count)
            let device = try await fixture.makeDevice()
            for jump in Self.jumps {
                try own.set(by: jump.own)
                try server.set(by: jump.server)
                try await replies.send(3)
                try await damage.recovery { try await fixture.daemon.waitForBadge(3) }
                try await replies.announced()
                for conversation in replies.conversations { try await device.read(conversation) }
                try await damage.recovery { try await fixture.daemon.waitForBadge(0) }
                try await fixture.daemon.restart()
                try await fixture.daemon.waitUntilConnected(by: transport.rawValue)
            }
            damage.expectRecovery(within: .seconds(20))
            try await damage.appendRow(of: replies)
            try await replies.expectInLogOnce(inOrder: false)
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
        }
    }

    @Test func `A pause ends on time even if the clock is set back by a day`() async throws {
        let own = try await SetClock()
        try await EndToEndFixture.with({ $0.environment = own.environment }) { fixture in
            var replies = try await ConversationActions(of: 1, in: fixture)
            #expect(try await fixture.daemon.ctl("pause", "15s").code == 0)
            try own.set(by: -86_400)
            let status = try await fixture.daemon.fetchStatus()
            let until = try #require(status.pausedUntil)
            #expect(until < Int64(Date.now.timeIntervalSince1970 * 1000) - 86_000_000)
            try await replies.send(1)
            try await replies.announced()
            #expect(try await !fixture.daemon.fetchStatus().paused)
        }
    }
}

/// A fake wall clock for one program. A preloaded library adds an offset to the real time and reads the
/// offset from a file. The monotonic clocks are not changed.
struct SetClock {
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        try Self.source.write(toFile: directory.file("clock.c"), atomically: true, encoding: .utf8)
        // The compiler is the clang of the Swift toolchain, so no other C compiler is required.
        let compiler = try ChildProcess(
            "/usr/bin/env",
            ["clang", "-shared", "-fPIC", "-o", directory.file("clock.so"), directory.file("clock.c")])
        try await compiler.waitForExit()
        try #require(FileManager.default.fileExists(atPath: directory.file("clock.so")))
        try set(by: 0)
    }

    var environment: [String: String] {
        ["LD_PRELOAD": directory.file("clock.so"), "SET_CLOCK": directory.file("seconds")]
    }

    /// Sets the offset from the real time, in seconds.
    func set(by seconds: Int) throws {
        try String(seconds).write(toFile: directory.file("seconds"), atomically: true, encoding: .utf8)
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static long difference(void) {
            char text[32];
            const char *path = getenv("SET_CLOCK");
            int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
            long count = file < 0 ? 0 : read(file, text, sizeof text - 1);
            if (file >= 0) close(file);
            text[count > 0 ? count : 0] = 0;
            return atol(text);
        }

        int clock_gettime(clockid_t clock, struct timespec *time) {
            int result = syscall(SYS_clock_gettime, clock, time);
            if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
                time->tv_sec += difference();
            return result;
        }

        int gettimeofday(struct timeval *time, void *zone) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            time->tv_sec = now.tv_sec;
            time->tv_usec = now.tv_nsec / 1000;
            return 0;
        }

        time_t time(time_t *result) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (result) *result = now.tv_sec;
            return now.tv_sec;
        }
        """
}

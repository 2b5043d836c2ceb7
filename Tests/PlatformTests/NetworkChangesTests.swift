import Foundation
import TestSupport
import Testing

@testable import Platform

/// Tests that start this test program again in a network namespace.
struct NetworkChangesTests {
    @Test(.enabled(if: Namespace.network.isPossible, "network namespaces cannot be made here (unshare -rn)"))
    func `The suite InNamespaceTests passes in a network namespace`() async throws {
        guard !Namespace.network.isEntered else { return }
        let child = try Namespace.network.run(suite: "InNamespaceTests")
        let code = try await child.waitForExit()
        let output = child.standardOutput + child.standardError
        #expect(code == 0 && output.contains("2 tests "), "\(output)")
    }
}

@Suite(.serialized, .enabled(if: Namespace.network.isEntered, "run by NetworkChangesTests"))
struct InNamespaceTests {
    @Test func `Changes to addresses, routes and link states are reported`() async throws {
        let changes = ElementCounter()
        await changes.listen(to: try NetworkChanges.watch())
        try connect("one0", "one1")
        #expect(!NetworkChanges.hasUsableInterface())
        try await changes.expect { try ip("address add 192.0.2.1/24 dev one0") }
        #expect(NetworkChanges.hasUsableInterface())
        try await changes.expect { try ip("route add default via 192.0.2.254") }
        try await changes.expect { try ip("link set one1 down") }
        #expect(!NetworkChanges.hasUsableInterface())
        try await changes.expect { try ip("link set one1 up") }
        try await changes.expect { try ip("route del default") }
        try await changes.expect { try ip("address del 192.0.2.1/24 dev one0") }
        #expect(!NetworkChanges.hasUsableInterface())
    }

    @Test func `The initial network state, address renewals and loopback changes are not reported`()
        async throws
    {
        try connect("two0", "two1")
        try ip("address add 198.51.100.1/24 dev two0")
        try ip("route add default via 198.51.100.254 dev two0")
        let changes = ElementCounter()
        await changes.listen(to: try NetworkChanges.watch())
        try ip("link set two0 alias renamed")
        try ip("address change 198.51.100.1/24 dev two0 valid_lft 1000 preferred_lft 900")
        try ip("route replace default via 198.51.100.254 dev two0 mtu 1400")
        try ip("route add 203.0.113.0/24 via 198.51.100.254")
        try ip("address add 169.254.1.1/16 scope link dev two0")
        try connect("idle0", "idle1")
        try ip("link set idle0 down")
        // The kernel reports this change with one message. Removing the address would also remove routes.
        try await changes.expect { try ip("route del default") }
        #expect(await changes.count == 1)
    }

    private func connect(_ one: String, _ other: String) throws {
        // Disables IPv6 address generation, so that no address is assigned automatically.
        try ip("link add \(one) type veth peer name \(other)")
        for name in [one, other] {
            try ip("link set \(name) addrgenmode none")
            try ip("link set \(name) up")
        }
        // The kernel reports the new state of the interfaces up to one second later.
        for name in [one, other] {
            let isUp = "ip -o link show dev \(name) | grep -q 'state UP'"
            let loop = "for try in $(seq 100); do \(isUp) && exit; sleep 0.1; done; exit 1"
            try #require(system(loop) == 0, "\(name) is not up")
        }
    }

    /// Uses `system`, because Foundation's Process requires the loopback interface, which is down in this
    /// namespace.
    private func ip(_ arguments: String) throws {
        try #require(system("ip " + arguments) == 0, "ip \(arguments)")
    }
}

/// A counter for the elements of a stream. Releasing the counter cancels its task.
private actor ElementCounter {
    private(set) var count = 0
    private var task: Task<Void, Never>?

    func listen(to changes: AsyncStream<Void>) {
        task = Task { [weak self] in for await _ in changes { await self?.increase() } }
    }

    deinit { task?.cancel() }

    private func increase() { count += 1 }

    func expect(_ change: () throws -> Void) async throws {
        let before = count
        try change()
        try await eventually("a change is reported") { count > before }
    }
}

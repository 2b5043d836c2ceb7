import Testing

@testable import Platform

struct NetworkStateTests {
    private typealias Content = RouteMessage.Content

    /// Returns a message about a link. `isRunning`: whether the link has a carrier.
    private func link(_ isRunning: Bool, isUp: Bool = true, present: Bool = true) -> Content {
        .link(.init(index: 2, isUp: isUp, isRunning: isRunning), present: present)
    }

    private func address(_ last: UInt8, tentative: Bool = false, present: Bool = true) -> Content {
        .address(.init(link: 2, bytes: [192, 0, 2, last], isTentative: tentative), present: present)
    }

    private func route(gateway: UInt8, present: Bool = true) -> Content {
        .defaultRoute(
            .init(family: 2, link: 2, gateway: [192, 0, 2, gateway], metric: 100), present: present)
    }

    /// Returns whether each message of the series changes the network state.
    private func news(_ contents: [Content]) -> [Bool] {
        var state = NetworkState()
        return contents.map { state.apply($0) }
    }

    @Test func `Adding or removing an address changes the network state, and renewing an address does not`() {
        #expect(
            news([address(1), address(1), address(2), address(1, present: false)]) == [
                true, false, true, true,
            ])
        #expect(news([address(1, present: false)]) == [false])
    }

    @Test func `A new address changes the network state as soon as the address is usable`() {
        #expect(news([address(1, tentative: true), address(1), address(1)]) == [false, true, false])
        #expect(news([address(1, tentative: true), address(1, present: false)]) == [false, false])
    }

    @Test func `A carrier change affects the network state only if the link has an address`() {
        #expect(
            news([link(true), address(1), link(true), link(false), link(false), link(true)])
                == [false, true, false, true, false, true])
        #expect(news([link(true), link(false), link(true)]) == [false, false, false])
        #expect(news([link(true), address(1), link(true, present: false)]) == [false, true, true])
    }

    @Test func `A repeated default route does not change the network state`() {
        #expect(
            news([route(gateway: 1), route(gateway: 1), route(gateway: 2), route(gateway: 1, present: false)])
                == [true, false, true, true])
    }

    @Test func `A default route that is added again after its link was down changes the network state`() {
        #expect(
            news([
                address(1), link(true), route(gateway: 1), link(false, isUp: false), link(true),
                route(gateway: 1),
            ]) == [true, true, true, true, true, true])
    }

    @Test func `A default route remains in the network state while its link has no carrier`() {
        #expect(
            news([
                address(1), link(true), route(gateway: 1), link(false), link(true), route(gateway: 1),
                route(gateway: 1, present: false),
            ]) == [true, true, true, true, true, false, true])
    }
}

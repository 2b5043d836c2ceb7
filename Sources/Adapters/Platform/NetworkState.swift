/// What is known of the network, by which news is told from repetition: the kernel repeats a link for each
/// wireless survey and an address or route for each renewal of its lifetime.
struct NetworkState: Sendable {
    private var links: [Int32: Bool] = [:]
    private var addresses: [AddressKey: Bool] = [:]
    private var routes: Set<RouteMessage.DefaultRoute> = []

    private struct AddressKey: Hashable {
        var link: Int32
        var bytes: [UInt8]
    }

    /// Takes a message in; true where it means that connections may have died or may now be possible.
    mutating func apply(_ content: RouteMessage.Content) -> Bool {
        switch content {
        case .link(let link, let present): apply(link, present)
        case .address(let address, let present): apply(address, present)
        case .defaultRoute(let route, true): routes.insert(route).inserted
        case .defaultRoute(let route, false): routes.remove(route) != nil
        case .end, .other: false
        }
    }

    /// Links without an address, such as those of containers, come and go without a meaning for us.
    private mutating func apply(_ link: RouteMessage.Link, _ present: Bool) -> Bool {
        let isUp = present && link.isOn && link.isRunning
        let before = links.updateValue(isUp, forKey: link.index) ?? false
        if !present { links[link.index] = nil }
        // The kernel takes the routes of a link that is switched off away without a word.
        if !present || !link.isOn { routes = routes.filter { $0.link != link.index } }
        return before != isUp && addresses.keys.contains { $0.link == link.index }
    }

    private mutating func apply(_ address: RouteMessage.Address, _ present: Bool) -> Bool {
        let key = AddressKey(link: address.link, bytes: address.bytes)
        let before = addresses[key] ?? false
        addresses[key] = present ? !address.isTentative : nil
        return before != (present && !address.isTentative)
    }
}

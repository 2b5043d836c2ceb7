import OAuth
import RSD2

/// Checks the parsers for service descriptions, service lists and link lists.
func checkRSD2(_ bytes: [UInt8]) throws(Broken) {
    if let service = try? ServiceDescription(bytes) { try check(service) }
    if let documents = try? DiscoveredServices.splitDocuments(in: bytes) {
        try hold(documents.count <= 64, "so many services are enough")
        let size = documents.reduce(0) { $0 + $1.count }
        try hold(size <= bytes.count, "the parts are no larger than the whole")
    }
    for place in ["https://h.example/lms", "http://127.0.0.1:8787"] {
        guard let host = try? EndpointURL(place), let list = try? ServiceList(bytes, at: host) else {
            continue
        }
        try hold(list.links.count <= 64 && Set(list.links).count == list.links.count, "each link once")
        for link in list.links { try check(link) }
    }
}

private func check(_ service: ServiceDescription) throws(Broken) {
    let origin = service.engineLink.origin
    try hold(service.isHosted(at: service.engineLink), "a service is from where it is")
    try hold(!service.host.isEmpty && !service.host.contains("/"), "\(service.host) is a host")
    try check(service.engineLink)
    for (name, api) in service.apis {
        try hold(api.link.origin == origin, "\(name) is at \(origin): \(api.link)")
        try hold(service.refusals[name] == nil, "\(name) is refused, or it is not")
    }
    for endpoint in [service.tokenEndpoint, service.revocationEndpoint] {
        try hold(endpoint?.origin ?? origin == origin, "no token goes elsewhere")
    }
    for page in [service.homePageLink, service.homePageIcon] {
        if let page { try hold((try? EndpointURL(page)) != nil, "\(page) can be opened") }
    }
    try checkFilter(service)
}

private func checkFilter(_ service: ServiceDescription) throws(Broken) {
    let names = service.apis.keys.sorted()
    try hold(service.restricted(to: names).apis == service.apis, "all that is asked for is left")
    let asked = Array(names.prefix(1))
    let filtered = service.restricted(to: asked)
    let allowed = Set(asked + [ServiceDescription.oauth2])
    try hold(filtered.apis.allSatisfy { allowed.contains($0.key) }, "nothing else is left")
    try hold(filtered.supports(asked) == service.supports(asked), "what was asked for is still spoken")
    try hold(filtered.scope(of: asked) == service.scope(of: asked), "it needs the same scope")
    try hold(filtered.restricted(to: asked) == filtered, "filtering again changes nothing")
}

/// Checks that a URL uses https, or http on this machine, so that no secret is sent unencrypted.
private func check(_ url: EndpointURL) throws(Broken) {
    let isSafe =
        url.origin.hasPrefix("https://") || url.origin.hasPrefix("http://127.")
        || url.origin.hasPrefix("http://[") || url.origin.hasPrefix("http://localhost")
    try hold(isSafe, "\(url) is https, or on this machine")
    try hold((try? EndpointURL(url.description)) == url, "\(url) is an address")
}

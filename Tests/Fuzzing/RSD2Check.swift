import OAuth
import RSD2

/// Checks the parsers for service descriptions, service lists and link lists.
func checkRSD2(_ bytes: [UInt8]) throws(PropertyViolation) {
    if let service = try? ServiceDescription(bytes) { try check(service) }
    if let documents = try? DiscoveredServices.splitDocuments(in: bytes) {
        try require(documents.count <= 64, "a discovery response has at most 64 descriptions")
        let size = documents.reduce(0) { $0 + $1.count }
        try require(size <= bytes.count, "the descriptions are not larger than the response")
    }
    for place in ["https://h.example/lms", "http://127.0.0.1:8787"] {
        guard let host = try? EndpointURL(place), let list = try? ServiceList(bytes, at: host) else {
            continue
        }
        try require(
            list.links.count <= 64 && Set(list.links).count == list.links.count,
            "a service list has at most 64 links and no duplicates")
        for link in list.links { try check(link) }
    }
}

private func check(_ service: ServiceDescription) throws(PropertyViolation) {
    let origin = service.engineLink.origin
    try require(service.hasSameOrigin(as: service.engineLink), "a service is accepted at its own engine link")
    try require(!service.host.isEmpty && !service.host.contains("/"), "\(service.host) is a host name")
    try check(service.engineLink)
    for (name, api) in service.apis {
        try require(api.link.origin == origin, "the link of \(name) has the origin \(origin): \(api.link)")
        try require(service.refusals[name] == nil, "\(name) is not both usable and refused")
    }
    for endpoint in [service.tokenEndpoint, service.revocationEndpoint] {
        try require(
            endpoint?.origin ?? origin == origin, "the token endpoints have the origin of the service")
    }
    for page in [service.homePageLink, service.homePageIcon] {
        if let page { try require((try? EndpointURL(page)) != nil, "\(page) is a valid URL") }
    }
    try checkFilter(service)
}

private func checkFilter(_ service: ServiceDescription) throws(PropertyViolation) {
    let names = service.apis.keys.sorted()
    try require(
        service.restricted(to: names).apis == service.apis,
        "filtering by all protocols preserves all protocols")
    let asked = Array(names.prefix(1))
    let filtered = service.restricted(to: asked)
    let allowed = Set(asked + [ServiceDescription.oauth2])
    try require(
        filtered.apis.allSatisfy { allowed.contains($0.key) },
        "a filtered description contains no other protocols")
    try require(
        filtered.supports(asked) == service.supports(asked),
        "a filtered description supports the same requested protocols")
    try require(
        filtered.scope(requiredFor: asked) == service.scope(requiredFor: asked),
        "a filtered description requires the same scope")
    try require(filtered.restricted(to: asked) == filtered, "filtering a second time changes nothing")
}

/// Checks that a URL uses https, or http on this machine, so that no secret is sent unencrypted.
private func check(_ url: EndpointURL) throws(PropertyViolation) {
    let isSafe =
        url.origin.hasPrefix("https://") || url.origin.hasPrefix("http://127.")
        || url.origin.hasPrefix("http://[") || url.origin.hasPrefix("http://localhost")
    try require(isSafe, "\(url) uses https or refers to this machine")
    try require(
        (try? EndpointURL(url.description)) == url, "\(url) is unchanged after formatting and parsing")
}

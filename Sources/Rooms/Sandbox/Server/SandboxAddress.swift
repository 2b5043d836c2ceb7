/// Where a sandbox listens, and what its admin proves himself with.
public struct SandboxAddress: Hashable, Sendable {
    public let url: String
    public let client: OAuthClient

    init(options: SandboxOptions, port: Int, client: OAuthClient) {
        let scheme = options.tls == nil ? "http" : "https"
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        url = "\(scheme)://\(host):\(port)"
        self.client = client
    }
}

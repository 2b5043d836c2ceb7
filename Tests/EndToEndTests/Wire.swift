import Foundation
import TestSupport

/// A fake API server in another network namespace, connected to this namespace by a veth pair.
final class Wire: Sendable {
    static let here = "192.0.2.1", there = "192.0.2.2"

    let certificates: TestCertificates
    let caFile: String
    private let server: ChildProcess

    /// Starts the API and connects the two network namespaces. The test process must already be in a separate
    /// network namespace.
    init(heartbeat: Double) async throws {
        certificates = try TestCertificates()
        let root = try await certificates.makeRoot()
        let leaf = try await certificates.makeLeaf(by: root, hosts: ["IP:\(Self.there)"])
        caFile = root.file
        guard system("ip link set lo up") == 0 else { throw WireFailure(command: "ip link set lo up") }
        server = try ChildProcess(
            "/usr/bin/unshare",
            [
                "-n", try BuiltProduct.path(of: "cutie-sandbox"), "serve", "--host", "0.0.0.0", "--port",
                "8443",
                "--tls-certificate", leaf.file, "--tls-key", leaf.keyFile, "--heartbeat", String(heartbeat),
                "--client-id", "cutie_ci_tests", "--client-secret", "cutie_cs_tests",
            ],
            environment: ["PATH": "/usr/bin:/bin", "XDG_STATE_HOME": certificates.directory.path])
        _ = try await server.waitForLine(after: "listening on ")
        try shell("ip link add here type veth peer name there netns \(server.pid)")
        try atServer("ip link set lo up")
        try atServer("ip address add \(Self.there)/24 dev there")
        try atServer("ip link set there up")
        try shell("ip address add \(Self.here)/24 dev here")
        try plug()
    }

    var url: String { "https://\(Self.there):8443" }

    func unplug() throws { try shell("ip link set here down") }

    /// Sets the link up, and adds the route that the kernel removed together with the link.
    func plug() throws {
        try shell("ip link set here up")
        try shell("ip route add default via \(Self.there) dev here")
    }

    /// Makes the server silently drop all packets to this machine, as some firewalls do.
    func dropPackets() throws { try atServer("ip route add blackhole \(Self.here)/32") }
    func release() throws { try atServer("ip route del blackhole \(Self.here)/32") }

    /// Resets all connections at the server. Returns `false` if the kernel cannot reset connections.
    func reset() -> Bool {
        (try? atServer("sh -c 'ss -HK -t state established dst \(Self.here) | grep -q .'")) != nil
    }

    /// Sends a reply as support over the server's loopback interface, which does not depend on the veth pair.
    func reply(_ text: String, in conversation: String) throws {
        let script = certificates.directory.file("reply.py")
        try Self.script.write(toFile: script, atomically: true, encoding: .utf8)
        try atServer("python3 \(script) \(conversation) \(text)")
    }

    private func atServer(_ command: String) throws { try shell("nsenter -t \(server.pid) -n \(command)") }

    private func shell(_ command: String) throws {
        guard system(command + " >/dev/null") == 0 else {
            throw WireFailure(command: command)
        }
    }

    private static let script = """
        import json, ssl, sys, urllib.request

        context = ssl._create_unverified_context()

        def post(path, body, **headers):
            request = urllib.request.Request("https://127.0.0.1:8443" + path, json.dumps(body).encode(),
                {"Content-Type": "application/json", **headers})
            return json.load(urllib.request.urlopen(request, context=context, timeout=20))

        token = post("/v1/auth/oauth/token", {"grant_type": "client_credentials",
            "client_id": "cutie_ci_tests", "client_secret": "cutie_cs_tests"})["access_token"]
        post(f"/v1/conversations/{sys.argv[1]}/messages", {"message": sys.argv[2]},
            Authorization="Bearer " + token)
        """
}

private struct WireFailure: Error {
    let command: String
}

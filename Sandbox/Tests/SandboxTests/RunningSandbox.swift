import CutieAPI
import Foundation
import FoundationNetworking
import Sandbox
import Synchronization

/// A server on a loopback port, with an HTTP client for tests.
struct TestServer: Sendable {
    /// The origin of the server.
    let url: String
    let session: URLSession

    func call(
        _ method: String, _ path: String, _ headers: [String: String] = [:], _ body: String? = nil
    ) async throws -> RunningSandbox.Answer {
        guard let url = URL(string: url + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let fields = response.allHeaderFields.map {
            (String(describing: $0.key), String(describing: $0.value))
        }
        return RunningSandbox.Answer(
            status: response.statusCode, headers: Dictionary(fields) { first, _ in first }, body: data)
    }
}

/// A sandbox on a loopback port, with an HTTP client for tests.
struct RunningSandbox: Sendable {
    let address: SandboxAddress
    let session: URLSession

    struct Answer: Sendable {
        let status: Int
        let headers: [String: String]
        let body: Data

        func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSON.decode(type, from: body)
        }

        var error: String? { try? decoded(ErrorBody.self).error }
        func header(_ name: String) -> String? {
            headers.first { $0.key.lowercased() == name.lowercased() }?.value
        }
    }

    var server: TestServer { TestServer(url: address.url, session: session) }

    func call(
        _ method: String, _ path: String, _ headers: [String: String] = [:], _ body: String? = nil
    ) async throws -> Answer {
        try await server.call(method, path, headers, body)
    }
}

/// Runs a sandbox while `body` runs. If the server stops early, throws the error from the server.
func withSandbox(
    _ choose: (inout SandboxOptions) -> Void = { _ in },
    _ body: @escaping @Sendable (RunningSandbox) async throws -> Void
) async throws {
    var options = SandboxOptions()
    options.port = 0
    choose(&options)
    let server = try SandboxServer(options)
    try await withServer {
        try await server.run(until: $0, onListening: $1)
    } _: {
        try await body(RunningSandbox(address: $0, session: $1))
    }
}

/// Runs a service for users of the given issuer while `body` runs.
func withService(
    issuer: String, _ choose: (inout ServiceOptions) -> Void = { _ in },
    _ body: @escaping @Sendable (TestServer) async throws -> Void
) async throws {
    var options = ServiceOptions(issuer: issuer)
    choose(&options)
    let server = try ServiceServer(options)
    try await withServer {
        try await server.run(until: $0, onListening: $1)
    } _: {
        try await body(TestServer(url: $0, session: $1))
    }
}

private func withServer<Address: Sendable>(
    _ run:
        @escaping @Sendable (
            _ stop: @escaping @Sendable () async -> Void,
            _ onListening: @escaping @Sendable (Address) async -> Void
        ) async throws -> Void,
    _ body: @escaping @Sendable (Address, URLSession) async throws -> Void
) async throws {
    let (addresses, listening) = AsyncStream.makeStream(of: Address.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { listening.finish() }
            try await run(
                {
                    for await _ in ends {}
                }, { listening.yield($0) })
        }
        group.addTask {
            defer { end.finish() }
            for await address in addresses {
                let configuration = URLSessionConfiguration.ephemeral
                // Disable cookies. Tests that need cookies use `TestBrowser`.
                configuration.httpCookieStorage = nil
                let session = URLSession(configuration: configuration)
                defer { session.invalidateAndCancel() }
                try await body(address, session)
                return
            }
        }
        try await group.waitForAll()
    }
}

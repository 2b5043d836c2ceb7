import CutieAPI
package import Store

/// A log entry about an app's access request or grant.
package struct AccessLogEntry {
    private let kind: LogEntry.Kind
    private let app: String
    private let appName: String
    private let services: [String]

    /// - Parameters:
    ///   - kind: one of the kinds that start with `access.`.
    ///   - app: the unique identity of the app.
    ///   - services: the names of the services.
    package init(_ kind: LogEntry.Kind, of app: String, name: String, services: [String] = []) {
        (self.kind, self.app, appName, self.services) = (kind, app, name, services)
    }

    private struct Payload: Encodable {
        let app: String
        let appName: String
        let services: [String]
    }

    fileprivate func log(using ingest: Ingest, inTransaction body: (Transaction) throws -> Void) throws {
        let payload = try JSON.encode(Payload(app: app, appName: appName, services: services))
        try ingest.log(kind, data: String(decoding: payload, as: UTF8.self), inTransaction: body)
    }
}

extension Ingest {
    /// Appends an entry in the same transaction as `body`.
    package func log(_ entry: AccessLogEntry, inTransaction body: (Transaction) throws -> Void = { _ in })
        throws
    {
        try entry.log(using: self, inTransaction: body)
    }
}

import CutieAPI
package import Store

/// Something that the log tells of what an app asked for and may do.
package struct AccessChange {
    private let kind: LogEntry.Kind
    private let app: String
    private let appName: String
    private let services: [String]

    /// `kind`: one of `access.`. `app`: what tells it from others. `services`: by their names.
    package init(_ kind: LogEntry.Kind, of app: String, name: String, services: [String] = []) {
        (self.kind, self.app, appName, self.services) = (kind, app, name, services)
    }

    private struct Told: Encodable {
        let app: String
        let appName: String
        let services: [String]
    }

    fileprivate func log(in ingest: Ingest, with body: (Transaction) throws -> Void) throws {
        let told = try JSON.encode(Told(app: app, appName: appName, services: services))
        try ingest.log(kind, data: String(decoding: told, as: UTF8.self), with: body)
    }
}

extension Ingest {
    /// Appends it, in one transaction with `body`.
    package func log(_ change: AccessChange, with body: (Transaction) throws -> Void = { _ in }) throws {
        try change.log(in: self, with: body)
    }
}

import Domain

@testable import AccessServer
@testable import ControlServer

/// Returns the result of `body`. Converts a thrown error to the error that a client of the control socket
/// receives.
@MainActor
func asClient<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as ServiceError { throw error.controlFault }
}

@MainActor
func asClient<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as ServiceError { throw error.controlFault }
}

/// Returns the result of `body`. Converts a thrown error to the error that an app receives.
@MainActor
func asApp<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as ServiceError { throw error.accessFault }
}

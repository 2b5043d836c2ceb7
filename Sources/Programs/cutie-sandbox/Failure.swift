import ArgumentParser
import Foundation
import Sandbox

/// How a failure is told: one sentence on standard error and an exit code of sysexits.
enum Failure {
    static func reported(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as SandboxError {
            warn(error.description)
            throw ExitCode(error.code.exitCode)
        }
    }

    static func warn(_ sentence: String) {
        FileHandle.standardError.write(Data("cutie-sandbox: \(sentence)\n".utf8))
    }
}

extension SandboxError.Code {
    fileprivate var exitCode: Int32 {
        switch self {
        case .addressInUse, .cannotListen, .badDatabase, .badCertificate, .badFile, .refused: 1
        case .badURL: 64
        case .notFound: 66
        case .unreachable: 69
        case .noCredentials, .notAuthorized: 77
        }
    }
}

/// Why a sandbox does not start, or an admin's reply did not get through. A sentence for a person.
public struct SandboxError: Error, CustomStringConvertible, Sendable {
    public enum Code: Sendable {
        case addressInUse
        case cannotListen
        case badDatabase
        case badCertificate
        case badFile
        case badURL
        case unreachable
        case noCredentials
        case notAuthorized
        case notFound
        case refused
    }

    public let code: Code
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

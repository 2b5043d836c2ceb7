import Varlink
import VarlinkSocket

/// Arguments that say nothing this program can do.
struct UsageError: Error, CustomStringConvertible {
    let description = """
        usage: conformance varlink serve|call unix:PATH
               conformance sse URL [--delay-ms N] [--read-timeout-ms N] [--last-event-id ID]
                                   [-H k:v] [-X METHOD] [--body S]
        """
}

/// `varlink serve unix:PATH` serves `org.varlink.certification` until it is killed, `varlink call
/// unix:PATH` goes through it as a client.
func runVarlink(_ arguments: [String]) async throws {
    let scheme = "unix:"
    guard arguments.count == 2, arguments[1].hasPrefix(scheme) else { throw UsageError() }
    let path = String(arguments[1].dropFirst(scheme.count))
    switch arguments[0] {
    case "serve": try await serveCertification(at: path)
    case "call": try await VarlinkCertificationClient(path: path).run()
    default: throw UsageError()
    }
}

private func serveCertification(at path: String) async throws {
    OpenFileLimit.raise(to: 4096)
    let server = try Server(
        listener: try ListeningSocket(bindingTo: path),
        information: .init(
            vendor: "cutied", product: "conformance", version: "1", url: "https://varlink.org"),
        implementations: [try VarlinkCertificationService().implementation()],
        fault: { Certification.CertificationError(wants: .null, got: .string("\($0)")) })
    print("listening on unix:\(path)")
    flushStandardOutput()
    try await server.run()
}

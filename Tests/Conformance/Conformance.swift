import Glibc
import JSONReading
import Runtime
import Varlink
import VarlinkSocket

/// A program for external conformance suites. It is not installed.
@main
enum Conformance {
    static func main() {
        EventLoop.shared.runProgram { await run(Array(CommandLine.arguments.dropFirst())) }
    }

    private static func run(_ arguments: [String]) async -> Int32 {
        do {
            switch arguments.first {
            case "varlink": try await runVarlink(Array(arguments.dropFirst()))
            case "sse": try await runSSE(Array(arguments.dropFirst()))
            default: throw UsageError()
            }
            return 0
        } catch let error as UsageError {
            complain(error.description)
            return 64
        } catch {
            complain("conformance: \(error)")
            return 1
        }
    }

    private static func complain(_ sentence: String) {
        let line = Array((sentence + "\n").utf8)
        write(STDERR_FILENO, line, line.count)
    }
}

/// The error for invalid arguments. Its description is the usage message.
struct UsageError: Error, CustomStringConvertible {
    let description = """
        usage: conformance varlink serve|call unix:PATH
               conformance sse URL [--delay-ms N] [--read-timeout-ms N] [--last-event-id ID]
                                   [-H k:v] [-X METHOD] [--body S]
        """
}

/// Runs a Varlink certification command. `varlink serve unix:PATH` serves `org.varlink.certification` until
/// the process is killed. `varlink call unix:PATH` runs the certification client.
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
    let service = try Service(
        information: .init(
            vendor: "cutied", product: "conformance", version: "1", url: "https://varlink.org"),
        interfaces: [VarlinkInterface(parsing: Certification.description)],
        implementations: [VarlinkCertificationService().implementation()],
        fault: { Certification.CertificationError(wants: .null, got: .string("\($0)")) })
    let server = Server(listener: try ListeningSocket(bindingTo: path), service: service)
    print("listening on unix:\(path)")
    flushStandardOutput()
    try await server.run()
}

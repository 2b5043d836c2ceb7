import ControlAPI
import Platform
import VarlinkSocket

extension DaemonFacts {
    init(asking environment: [String: String]) async {
        let path: String
        do { path = try Paths(environment: environment).controlSocket() } catch {
            self = .homeless(error.description)
            return
        }
        do {
            let client = try await Client(path: path, timeout: .seconds(2))
            self = .answers(try await client.call(GetStatus(), timeout: .seconds(4)))
        } catch SocketFailure.notRunning {
            self = .absent(path: path)
        } catch SocketFailure.timedOut {
            self = .silent(path: path, reason: "it takes too long")
        } catch let failure as SocketFailure {
            self = .silent(path: path, reason: failure.description)
        } catch {
            self = .silent(path: path, reason: "its answer cannot be read")
        }
    }
}

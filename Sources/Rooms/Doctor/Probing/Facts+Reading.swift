import Config
import Glibc
import Platform

extension Facts {
    /// What the disk tells, at once.
    init(reading environment: [String: String]) {
        let paths = Paths(environment: environment)
        configuration = ConfigurationFacts(reading: paths, environment)
        files = FileFact.looked(at: paths)
        user = getuid()
    }
}

extension ConfigurationFacts {
    fileprivate init(reading paths: Paths, _ environment: [String: String]) {
        let found = paths.configurationFile()
        file = found
        ownFile = paths.ownConfigurationFile
        do {
            let bytes = try found.map { file throws(SystemFailure) in
                try SmallFile.read(file, limit: Configuration.sizeLimit + 1)
            }
            outcome = Self.parsed(bytes ?? [], file: found ?? ownFile, environment)
        } catch {
            outcome = .unreadable("\(error)")
        }
    }

    private static func parsed(_ bytes: [UInt8], file: String, _ environment: [String: String]) -> Outcome {
        do {
            return .read(try Configuration(bytes: bytes, file: file, environment: environment))
        } catch {
            return .invalid(error)
        }
    }
}

extension FileFact {
    fileprivate static func looked(at paths: Paths) -> [FileFact] {
        let state = paths.stateDirectory
        var facts = [FileFact(lookingAt: state, .state, .directory)]
        facts += ["cutied.db", "cutied.db-wal", "cutied.db-shm", "lock", "devices", "secrets"].map {
            FileFact(lookingAt: state + "/" + $0, .state, .file)
        }
        guard let socket = try? paths.controlSocket() else { return facts }
        // Where CUTIED_SOCKET says another place, its directory is the person's own business.
        if let own = paths.runtimeDirectory, socket == own + "/cutied/control.sock" {
            facts.append(FileFact(lookingAt: own + "/cutied", .socket, .directory))
        }
        return facts + [FileFact(lookingAt: socket, .socket, .socket)]
    }

    private init(lookingAt path: String, _ group: Group, _ expected: Kind) {
        (self.path, self.group, self.expected) = (path, group, expected)
        var status = stat()
        // A link in the place of one of these is as wrong as a file of another kind.
        guard lstat(path, &status) == 0 else { return }
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: .directory
            case S_IFREG: .file
            case S_IFSOCK: .socket
            default: .other
            }
        found = Found(kind: kind, mode: status.st_mode & 0o777, owner: status.st_uid)
    }
}

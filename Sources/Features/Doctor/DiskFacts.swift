import FoundationEssentials
import Glibc
import Platform

/// The encryption of the disk that stores the messages. The database itself is not encrypted.
enum DiskFacts: Hashable, Sendable {
    /// `method`: the kind of encryption, for example `LUKS`.
    case encrypted(method: String)
    case unencrypted(device: String)
    /// The messages are in memory or on another computer, or the device cannot be found.
    case unknown(reason: String)

    /// A mounted file system.
    struct Mount: Hashable, Sendable {
        /// The device number `MAJOR:MINOR`.
        var device: String
        var point: String
        var type: String
        /// The path of the device, or the source that the file system reports instead.
        var source: String
    }
}

extension DiskFacts {
    /// Examines the file system of `path`, or of the nearest existing parent if `path` does not exist.
    init(ofFileSystemAt path: String) {
        guard let existing = Self.findExistingParent(of: path), let resolved = realpath(existing, nil) else {
            self = .unknown(reason: "\(path) cannot be read")
            return
        }
        defer { free(resolved) }
        let mounts = Self.readText(at: "/proc/self/mountinfo").split(separator: "\n").map(String.init)
        self.init(
            ofFileSystemAt: String(cString: resolved), mounts: mounts.compactMap(Mount.init),
            hasPolicy: Self.hasEncryptionPolicy(at: existing), blockDevices: "/sys/dev/block")
    }

    /// - Parameters:
    ///   - path: an absolute path without symbolic links.
    ///   - hasPolicy: whether fscrypt encrypts the directory.
    ///   - blockDevices: the kernel's directory with an entry `MAJOR:MINOR` for each block device.
    init(ofFileSystemAt path: String, mounts: [Mount], hasPolicy: Bool, blockDevices: String) {
        // Prefer the last mount at the same point, because it hides the earlier mounts.
        let containing = mounts.filter { path == $0.point || path.hasPrefix($0.point.asDirectory) }
        guard let mount = containing.max(by: { $0.point.utf8.count <= $1.point.utf8.count }) else {
            self = .unknown(reason: "\(path) is in no known file system")
            return
        }
        if hasPolicy {
            self = .encrypted(method: "fscrypt")
        } else if ["ecryptfs", "fuse.cryfs", "fuse.encfs", "fuse.gocryptfs"].contains(mount.type) {
            self = .encrypted(method: mount.type.replacing("fuse.", with: ""))
        } else if mount.source.hasPrefix("/dev/") {
            let device =
                mount.device.hasPrefix("0:") ? Self.readDeviceNumber(ofDeviceAt: mount.source) : mount.device
            let encryption = device.map { Self.readEncryptionMethod(of: "\(blockDevices)/\($0)", depth: 0) }
            self =
                switch encryption {
                case .some(.some(let method)): .encrypted(method: method)
                case .some(nil): .unencrypted(device: mount.source)
                case nil: .unknown(reason: "\(mount.source) is not a block device")
                }
        } else {
            self = .unknown(reason: "\(mount.point) is a file system of type \(mount.type)")
        }
    }

    /// Returns the method that encrypts the device or all devices below it; `nil` if a part is unencrypted.
    ///
    /// - Parameters:
    ///   - device: the directory of the device.
    ///   - depth: the number of devices above this device, which limits the recursion.
    private static func readEncryptionMethod(of device: String, depth: Int) -> String? {
        let uuid = readText(at: device + "/dm/uuid")
        // The UUID of a dm-crypt device starts with the type of encryption, such as `CRYPT-LUKS2-`.
        if uuid.hasPrefix("CRYPT-") { return uuid.hasPrefix("CRYPT-LUKS") ? "LUKS" : "dm-crypt" }
        let parts = (try? FileManager.default.contentsOfDirectory(atPath: device + "/slaves")) ?? []
        // Devices are rarely nested more deeply. The limit also prevents an endless recursion.
        guard !parts.isEmpty, depth < 8 else { return nil }
        let methods = parts.map { readEncryptionMethod(of: "\(device)/slaves/\($0)", depth: depth + 1) }
        return methods.contains(nil) ? nil : methods[0]
    }

    /// Returns the content of a kernel file; empty if the file cannot be read.
    private static func readText(at path: String) -> String {
        String(decoding: (try? SmallFile.read(path, sizeLimit: 1 << 20)) ?? [], as: UTF8.self)
    }

    /// Returns the number `MAJOR:MINOR` of a block device; `nil` if `path` is not a block device.
    private static func readDeviceNumber(ofDeviceAt path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFBLK else { return nil }
        // Split the number into major and minor, as the inverse of makedev(3).
        let number = UInt64(status.st_rdev)
        let major = (number >> 8) & 0xfff | (number >> 32) & ~0xfff
        return "\(major):\(number & 0xff | (number >> 12) & ~0xff)"
    }

    private static func findExistingParent(of path: String) -> String? {
        var path = path
        while access(path, F_OK) != 0 {
            guard let slash = path.lastIndex(of: "/") else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
        return path
    }

    /// Returns whether fscrypt encrypts the directory.
    private static func hasEncryptionPolicy(at path: String) -> Bool {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return false }
        defer { close(directory) }
        // The number of FS_IOC_GET_ENCRYPTION_POLICY, which Swift does not import. The request supports only
        // policies of version 1; EINVAL means that the policy has a later version.
        var policy = [UInt8](repeating: 0, count: 12)
        return ioctl(directory, 0x400c_6615, &policy) == 0 || errno == EINVAL
    }

    var check: Check {
        let name = "disk encryption"
        return switch self {
        case .encrypted(let method): Check(name, .ok, "your messages are on an encrypted disk (\(method))")
        case .unencrypted(let device):
            Check(
                name, .warning,
                "\(device) is not encrypted by this computer: anyone who has the disk can read your messages, "
                    + "unless the disk encrypts itself",
                advice: "encrypt the disk or your home directory if other people may get it")
        case .unknown(let reason):
            Check(name, .skipped, "unknown whether your messages are on an encrypted disk (\(reason))")
        }
    }
}

extension DiskFacts.Mount {
    /// Parses a line of `/proc/self/mountinfo`.
    init?(_ line: String) {
        let fields = line.split(separator: " ").map(String.init)
        // Search for the separator, because any number of optional fields precedes it.
        guard let separator = fields.firstIndex(of: "-"), separator >= 6, fields.count > separator + 2 else {
            return nil
        }
        self.init(
            device: fields[2], point: fields[4].unescapedMountPath, type: fields[separator + 1],
            source: fields[separator + 2].unescapedMountPath)
    }
}

extension String {
    /// The path with a trailing slash.
    fileprivate var asDirectory: String { hasSuffix("/") ? self : self + "/" }

    /// The path without the kernel's escapes, such as `\040` for a space.
    fileprivate var unescapedMountPath: String {
        replacing("\\040", with: " ").replacing("\\011", with: "\t").replacing("\\012", with: "\n")
            .replacing("\\134", with: "\\")
    }
}

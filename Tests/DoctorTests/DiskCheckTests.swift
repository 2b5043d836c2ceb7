import Foundation
import TestSupport
import Testing

@testable import Doctor

struct DiskCheckTests {
    /// Creates a fake directory of block devices in the format of sysfs. `devices`: for each device number,
    /// the content of `dm/uuid` (`nil` if the file is missing) and the numbers of the underlying devices,
    /// separated by spaces.
    private func blockDevices(
        in directory: TemporaryDirectory, _ devices: [String: (uuid: String?, parts: String)]
    ) throws -> String {
        let root = directory.file("block")
        for (number, device) in devices {
            for folder in ["dm", "slaves"] {
                try FileManager.default.createDirectory(
                    atPath: "\(root)/\(number)/\(folder)", withIntermediateDirectories: true)
            }
            try device.uuid?.write(toFile: "\(root)/\(number)/dm/uuid", atomically: true, encoding: .utf8)
            for part in device.parts.split(separator: " ") {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(root)/\(number)/slaves/\(part)", withDestinationPath: "\(root)/\(part)")
            }
        }
        return root
    }

    @Test(arguments: [
        // In order: a disk without partitions, LUKS, LVM on LUKS, LVM on two disks of which only one is
        // encrypted, plain dm-crypt.
        ("8:1", DiskFacts.unencrypted(device: "/dev/disk")),
        ("253:0", .encrypted(method: "LUKS")),
        ("253:1", .encrypted(method: "LUKS")),
        ("253:2", .unencrypted(device: "/dev/disk")),
        ("253:3", .encrypted(method: "dm-crypt")),
        ("253:4", .unencrypted(device: "/dev/disk")),
    ])
    func `A disk counts as encrypted only if all devices below the file system are encrypted`(
        device: String, expected: DiskFacts
    )
        throws
    {
        let directory = try TemporaryDirectory()
        let root = try blockDevices(
            in: directory,
            [
                "8:1": (nil, ""),
                "253:0": ("CRYPT-LUKS2-0123-home\n", "8:1"),
                "253:1": ("LVM-abc\n", "253:0"),
                "253:2": ("LVM-abc\n", "253:0 8:1"),
                "253:3": ("CRYPT-PLAIN-swap\n", "8:1"),
                // A cyclic dependency, which the kernel never creates.
                "253:4": ("LVM-abc\n", "253:4"),
            ])
        let mount = try #require(
            DiskFacts.Mount("30 1 \(device) / / rw,relatime shared:1 master:2 - ext4 /dev/disk rw"))
        let facts = DiskFacts(
            ofFileSystemAt: "/home/ann/.local/state/cutied", mounts: [mount], hasPolicy: false,
            blockDevices: root)
        #expect(facts == expected)
    }

    @Test(arguments: [
        (
            "/home/ann/state", "30 1 0:40 / /home/ann rw - fuse.gocryptfs gocryptfs rw",
            "encrypted disk (gocryptfs)"
        ),
        ("/home/ann/state", "30 1 0:41 / /home/ann rw - ecryptfs /home/.a rw", "encrypted disk (ecryptfs)"),
        ("/home/ann/state", "30 1 0:42 / /home rw - nfs4 server:/home rw", "of type nfs4"),
        ("/home/ann/state", "30 1 0:43 / /home/ann rw - tmpfs none rw", "of type tmpfs"),
        ("/my home/state", "30 1 0:43 / /my\\040home rw - tmpfs none rw", "of type tmpfs"),
        ("/home/annie/state", "30 1 0:40 / /home/ann rw - fuse.gocryptfs x rw", "in no known file system"),
        ("/home/ann/state", "garbage", "in no known file system"),
        ("/home/ann/state", "30 1 0:40 / /home/ann rw - btrfs /dev/null rw", "not a block device"),
    ])
    func `The finding names the type of the file system if the encryption cannot be determined`(
        path: String, line: String, expected: String
    ) {
        let facts = DiskFacts(
            ofFileSystemAt: path, mounts: [line].compactMap(DiskFacts.Mount.init), hasPolicy: false,
            blockDevices: "/nowhere")
        #expect(facts.check.finding.contains(expected), "\(facts.check.finding)")
    }

    @Test func `An unencrypted disk causes a warning, and the check is skipped if the encryption is unknown`()
    {
        #expect(DiskFacts.encrypted(method: "LUKS").check.verdict == .ok)
        let check = DiskFacts.unencrypted(device: "/dev/sda1").check
        #expect(check.verdict == .warning && check.advice != nil)
        #expect(DiskFacts.unknown(reason: "x").check.verdict == .skipped)
    }

    @Test
    func
        `A directory with an fscrypt policy counts as encrypted, and of several mounts at a path, the last is used`()
    {
        let mounts = ["30 1 8:1 / / rw - ext4 /dev/a rw", "31 1 8:2 / / rw - tmpfs none rw"]
            .compactMap(DiskFacts.Mount.init)
        func facts(_ hasPolicy: Bool) -> DiskFacts {
            DiskFacts(ofFileSystemAt: "/x", mounts: mounts, hasPolicy: hasPolicy, blockDevices: "/nowhere")
        }
        #expect(facts(true) == .encrypted(method: "fscrypt"))
        #expect(facts(false) == .unknown(reason: "/ is a file system of type tmpfs"))
    }

    @Test func `The file system of the test machine can be examined`() throws {
        let directory = try TemporaryDirectory()
        let facts = DiskFacts(ofFileSystemAt: directory.file("not/yet/there"))
        #expect(facts.check.verdict != .failure && !facts.check.finding.contains("cannot be read"))
    }
}

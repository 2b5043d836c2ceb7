import Foundation

/// Copies the file `source` to `path` and makes the copy executable.
///
/// A child process writes the copy. If the test process wrote the file, a program that another test starts at
/// the same time could inherit the open descriptor, and the kernel refuses to execute a file that is open for
/// writing (ETXTBSY).
public func installProgram(copying source: String, to path: String) throws {
    let null = try Spawn.open("/dev/null", O_RDWR)
    let pid = try Spawn.start(
        ["/usr/bin/install", "-m", "755", source, path], environment: [:], input: null.fileDescriptor,
        output: null.fileDescriptor, error: null.fileDescriptor)
    var status = Spawn.waitStatus(of: pid)
    while status == nil {
        usleep(1000)
        status = Spawn.waitStatus(of: pid)
    }
    guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
}

/// Installs an executable script at `path`. Like `installProgram(copying:to:)`, avoids ETXTBSY.
public func installScript(_ text: String, at path: String) throws {
    let source = path + ".source"
    try text.write(toFile: source, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: source) }
    try installProgram(copying: source, to: path)
}

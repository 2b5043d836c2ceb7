import Foundation
import TestSupport
import Testing

/// A picture that a program which is not ours reads the code from.
enum Picture {
    /// What zbarimg reads in a file of any format; `options` are zbarimg's.
    static func decoded(_ bytes: [UInt8], options: [String] = []) async throws -> String {
        let directory = try TemporaryDirectory()
        try Data(bytes).write(to: directory.url.appending(path: "picture"))
        let reader = try ChildProcess(
            "/usr/bin/zbarimg",
            ["--quiet", "--raw", "--oneshot", "-Sbinary"] + options + [directory.file("picture")])
        #expect(try await reader.exit() == 0, "\(reader.standardError)")
        return reader.standardOutput
    }

    /// The lines of half blocks as a terminal of square half cells draws them; `ink` is what a block leaves.
    static func drawn(_ text: String, ink: UInt8, paper: UInt8) -> [UInt8] {
        let lines = text.split(separator: "\n").map(Array.init)
        let (scale, margin) = (4, 8)
        let width = (lines.map(\.count).max() ?? 0) + 2 * margin
        var rows = [[UInt8]](repeating: .init(repeating: paper, count: width), count: margin)
        for line in lines {
            for blocks in ["█▀", "█▄"] {
                let side = [UInt8](repeating: paper, count: margin)
                let row = side + line.map { blocks.contains($0) ? ink : paper } + side
                rows.append(row + .init(repeating: paper, count: width - row.count))
            }
        }
        rows += .init(repeating: .init(repeating: paper, count: width), count: margin)
        let pixels = rows.flatMap { row in
            [[UInt8]](repeating: row.flatMap { [UInt8](repeating: $0, count: scale) }, count: scale).joined()
        }
        return Array("P5 \(width * scale) \(rows.count * scale) 255\n".utf8) + pixels
    }
}

import Foundation
import QR
import TestSupport
import Testing

@Suite struct `QR codes` {
    static let texts = [
        "x", "lt_4f2a9c81d07e4b6f8a35", "cutie://link?token=Zm9vYmFy-_.~", "Grüße, 世界 🎉",
        String(repeating: "0123456789abcdef", count: QRCode.maxTextLength / 16),
    ].map(AbridgedArgument.init)

    @Test(arguments: texts)
    func `An independent program can decode the PNG image of a QR code`(text: AbridgedArgument<String>)
        async throws
    {
        #expect(try await Picture.decoded(QRCode(text.value).png) == text.value)
    }

    @Test(arguments: texts)
    func `A QR code can be read on a terminal with a dark background`(text: AbridgedArgument<String>)
        async throws
    {
        let picture = Picture.drawn(try QRCode(text.value).terminalText, ink: 255, paper: 0)
        #expect(try await Picture.decoded(picture) == text.value)
    }

    @Test func `A terminal with a light background shows an inverted QR code, which some scanners can read`()
        async throws
    {
        let picture = Picture.drawn(try QRCode("lt_4f2a9c81").terminalText, ink: 0, paper: 255)
        #expect(try await Picture.decoded(picture, options: ["-Stest-inverted"]) == "lt_4f2a9c81")
    }

    @Test func `Colors do not change the QR code, and are reset on each line`() throws {
        let code = try QRCode("lt_4f2a9c81")
        let lines = code.terminalText(usesColor: true).split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[38;5;231;48;5;16m") && $0.hasSuffix("\u{1B}[0m") })
        let bare = lines.map { $0.dropFirst("\u{1B}[38;5;231;48;5;16m".count).dropLast("\u{1B}[0m".count) }
        #expect(bare.joined(separator: "\n") + "\n" == code.terminalText)
    }

    @Test func `The margins above and below the QR code consist of light cells`() throws {
        let lines = try QRCode("lt_4f2a9c81").terminalText.split(separator: "\n")
        #expect(lines.first?.allSatisfy { $0 == "█" } == true)
        #expect(lines.last?.allSatisfy { $0 == "█" } == true)
    }

    @Test func `The QR code of a link token fits on a terminal of 60 by 24 cells`() throws {
        let code = try QRCode("lt_4f2a9c81d07e4b6f8a354f2a9c81d07e4b6f8a35")
        let lines = code.terminalText.split(separator: "\n")
        #expect(Set(lines.map(\.count)).count == 1)
        #expect(lines[0].count <= 60)
        #expect(lines.count <= 24)
    }

    @Test func `An empty string, or a string that is too long, cannot be encoded as a QR code`() {
        let bytes = QRCode.maxTextLength + 1
        #expect(throws: QRCodeError.tooLong(bytes: bytes)) {
            try QRCode(String(repeating: "a", count: bytes))
        }
        #expect(throws: QRCodeError.empty) { try QRCode("") }
    }
}

/// Functions that draw a QR code and read it with an independent program.
enum Picture {
    /// Returns the string that zbarimg reads from an image file of any format. `options`: options of zbarimg.
    static func decoded(_ bytes: [UInt8], options: [String] = []) async throws -> String {
        let directory = try TemporaryDirectory()
        try Data(bytes).write(to: directory.url.appending(path: "picture"))
        let reader = try ChildProcess(
            "/usr/bin/zbarimg",
            ["--quiet", "--raw", "--oneshot", "-Sbinary"] + options + [directory.file("picture")])
        #expect(try await reader.waitForExit() == 0, "\(reader.standardError)")
        return reader.standardOutput
    }

    /// Draws half-block characters as on a terminal whose half cells are square. `ink` is the gray value of
    /// the blocks, and `paper` is the gray value of the background.
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

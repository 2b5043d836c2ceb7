import TestSupport
import Testing

@testable import Control

struct MessageTextTests {
    private func read(_ argument: String, input: [UInt8] = []) throws -> String {
        try MessageArgument.resolve(argument) { Array(input.prefix($0)) }
    }

    @Test func `The message text is the command line argument, or standard input if the argument is a dash`()
        throws
    {
        #expect(try read("hello") == "hello")
        #expect(try read("-", input: Array("piped\n\ntext\r\n\n".utf8)) == "piped\n\ntext")
        #expect(try read("  indented") == "  indented")
    }

    @Test(
        arguments: [
            [], Array(" \n\t".utf8), [0x68, 0xFF], Array(repeating: 0x61, count: (1 << 20) + 1),
        ].map(AbridgedArgument<[UInt8]>.init))
    func `An empty, overlong or non-UTF-8 message fails with the exit code for invalid data`(
        input: AbridgedArgument<[UInt8]>
    ) {
        #expect { try read("-", input: input.value) } throws: { ($0 as? CommandError)?.status == .badData }
    }

    @Test func `A message of 1 MiB is accepted`() throws {
        let input = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(try read("-", input: input).utf8.count == 1 << 20)
    }
}

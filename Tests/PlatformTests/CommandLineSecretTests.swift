import Testing

@testable import Platform

struct CommandLineSecretTests {
    /// Each row contains an argument and its prefix that stays readable; `nil` if the complete argument stays
    /// readable.
    @Test(arguments: [
        ("cutie://link?token=cutie_ft_1", "cutie://link?"), ("cutie_lt_1", "cutie_"),
        ("io.cutied.cutied:/signed-in?code=c&state=s", "io.cutied.cutied:/signed-in?"),
        ("cutie://conversation/c?account=work", "cutie://conversation/c?"),
        ("cutie://conversation/c", nil), ("cutie://link?", nil), ("--json", nil), ("", nil), ("?", nil),
        // Messages that resemble a link.
        ("Note: does it print? Yes", nil), ("what?", nil), ("conv_1", nil),
    ])
    func `In command line arguments, the query of a link and all but the prefix of a token are hidden`(
        argument: String, rest: String?
    ) {
        let start = CommandLineSecrets.startOfSecret(in: Array(argument.utf8))
        #expect(start.map { String(decoding: argument.utf8.prefix($0), as: UTF8.self) } == rest)
    }
}

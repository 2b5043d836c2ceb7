import Testing

@testable import Platform

struct CommandLineSecretTests {
    /// An argument, and its part that stays readable; `nil` if all of it does.
    @Test(arguments: [
        ("cutie://link?token=cutie_ft_1", "cutie://link?"), ("cutie_lt_1", "cutie_"),
        ("io.cutied.cutied:/signed-in?code=c&state=s", "io.cutied.cutied:/signed-in?"),
        ("cutie://conversation/c?account=work", "cutie://conversation/c?"),
        ("cutie://conversation/c", nil), ("cutie://link?", nil), ("--json", nil), ("", nil), ("?", nil),
        // Texts of the user are not links.
        ("Note: does it print? Yes", nil), ("what?", nil), ("conv_1", nil),
    ])
    func `What follows the question mark of a link is hidden, and a token`(argument: String, rest: String?) {
        let start = CommandLineSecrets.secretStart(in: Array(argument.utf8))
        #expect(start.map { String(decoding: argument.utf8.prefix($0), as: UTF8.self) } == rest)
    }
}

import Testing

@testable import Localization

@Suite struct CatalogueLocationTests {
    @Test(arguments: [
        ("/usr/bin/cutied", "/usr/share/locale"), ("/usr/local/bin/cutied", "/usr/local/share/locale"),
        ("/home/ann/.local/bin/cutied-inbox", "/home/ann/.local/share/locale"),
        ("/bin/cutied", "/share/locale"), ("/usr/libexec/cutied/cutied-daemon", "/usr/share/locale"),
        ("/libexec/cutied/cutied-daemon", "/share/locale"),
    ])
    func `Translations are found in the share directory next to the program`(
        _ program: String, _ directory: String
    ) {
        #expect(CatalogueLocation.directory(forExecutable: program) == directory)
    }
}

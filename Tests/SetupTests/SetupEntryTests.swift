import CutieAPI
import Setup
import Testing

struct SetupEntryTests {
    @Test(arguments: [
        ("app_1", "app_1", nil), ("  app_1 \n", "app_1", nil), ("cutie://setup?app_id=app_1", "app_1", nil),
        (
            "cutie://setup?app_id=a%2Bb&api_url=http%3A%2F%2F127.0.0.1%3A8787", "a+b",
            "http://127.0.0.1:8787"
        ),
    ])
    func `The setup accepts an App ID or a setup link`(typed: String, appID: String, address: String?) throws
    {
        let entry = try SetupEntry(typed)
        #expect(entry.appID == appID)
        #expect(entry.address?.description == address)
    }

    @Test(arguments: [
        ("", "the App ID is empty; specify an App ID"),
        (" ", "the App ID is empty; specify an App ID"),
        (
            "app 1",
            "the App ID must be at most 256 ASCII characters without spaces; copy the App ID again"
        ),
        (
            "cutie://link?token=x",
            "this link adds an app and needs no App ID; open it with `cutied open`"
        ),
        ("cutie://conversation/x", "this link opens a conversation; enter the App ID first"),
        ("https://example.com", "cutie:// is missing at the beginning of the link"),
        ("cutie://setup?app_id=", "the link contains an invalid ID"),
    ])
    func `The setup rejects input that is neither an App ID nor a setup link, and states the reason`(
        typed: String, sentence: String
    ) {
        let error = #expect(throws: SetupEntry.InvalidInput.self) { try SetupEntry(typed) }
        #expect(error?.description == sentence)
    }

    @Test func `An address entered in the setup must use HTTPS or a loopback host`() throws {
        #expect(
            try SetupEntry.parseAddress(" https://api.example.com ").description == "https://api.example.com")
        #expect(throws: SetupEntry.InvalidInput.self) { try SetupEntry.parseAddress("http://example.com") }
        #expect(throws: SetupEntry.InvalidInput.self) { try SetupEntry.parseAddress("") }
    }
}

import Localization
import Testing

/// Tests of the descriptions of protocols in questions.
struct ProtocolWordsTests {
    @Test(arguments: ["com.cuti-e.conversations", "com.cuti-e.replies", "com.cuti-e.staff"])
    func `A known protocol is shown with a readable name instead of its identifier`(name: String) {
        let words = protocolLabel(name)
        #expect(!words.contains("com.") && words.contains(" "))
    }

    @Test func `An unknown protocol is shown with its identifier`() {
        #expect(protocolLabel("org.example.files") == "org.example.files")
    }
}

import Localization
import Testing

/// What a question says that an app asks for.
struct ProtocolWordsTests {
    @Test(arguments: ["com.cuti-e.conversations", "com.cuti-e.replies", "com.cuti-e.staff"])
    func `A protocol of ours is told in words`(name: String) {
        let words = protocolWords(name)
        #expect(!words.contains("com.") && words.contains(" "))
    }

    @Test func `Another one is told by its name`() {
        #expect(protocolWords("org.example.files") == "org.example.files")
    }
}

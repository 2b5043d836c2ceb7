import CutieAPI
import Testing

@testable import Window

/// What the window is started with.
@Suite struct `Requests` {
    @Test func `Nothing is the inbox, a link or an id a thread`() throws {
        #expect(try Request(nil, reply: false, compose: false) == .inbox)
        #expect(
            try Request(
                "cutie://conversation/conv_1?account=work&message=msg_2", reply: false, compose: false)
                == .thread(
                    ThreadLink(conversation: "conv_1", account: "work", message: "msg_2"), reply: false))
        #expect(
            try Request("conv 1", account: "home", reply: true, compose: false)
                == .thread(ThreadLink(conversation: "conv 1", account: "home"), reply: true))
        #expect(
            try Request("cutie://link?token=cutie_ft_1", reply: false, compose: false)
                == .app(FeedbackToken("cutie_ft_1")))
        #expect(
            try Request("cutie://setup?app_id=app_1", reply: false, compose: false)
                == .setup(appID: "app_1", api: nil))
        #expect(try Request(nil, account: "work", reply: false, compose: true) == .compose(account: "work"))
        #expect(try Request(nil, reply: false, compose: false, page: "questions") == .page("questions"))
    }

    @Test @MainActor func `Each page can be asked for by its name`() throws {
        #expect(Set(Request.pages) == Set(PageKind.all.map(\.id)))
        for page in Request.pages {
            #expect(try Request(nil, reply: false, compose: false, page: page) == .page(page))
        }
    }

    @Test func `A page that is not there is refused, and one is shown by itself`() {
        #expect(throws: Request.Unreadable.self) {
            try Request(nil, reply: false, compose: false, page: "nowhere")
        }
        #expect(throws: Request.Unreadable.self) {
            try Request("conv_1", reply: false, compose: false, page: "questions")
        }
    }

    @Test(arguments: ["https://example.org", "cutie://conversation/../x", "cutie://link?token=", "a/b", ".."])
    func `What is no link and no id is refused`(word: String) {
        #expect(throws: Request.Unreadable.self) { try Request(word, reply: false, compose: false) }
    }

    @Test func `What contradicts itself is refused`() {
        #expect(throws: Request.Unreadable.self) { try Request(nil, reply: true, compose: false) }
        #expect(throws: Request.Unreadable.self) { try Request("conv_1", reply: false, compose: true) }
        #expect(throws: Request.Unreadable.self) {
            try Request("cutie://link?token=cutie_ft_1", reply: true, compose: false)
        }
        #expect(throws: Request.Unreadable.self) {
            try Request("cutie://setup?app_id=app_1", reply: true, compose: false)
        }
    }
}

import CutieAPI
import Testing

@testable import Window

/// Tests of the window's command line arguments.
@Suite struct `Arguments of the window` {
    @Test func `The window opens the inbox if there is no argument, and a conversation for a link or an ID`()
        throws
    {
        #expect(try WindowRequest(nil, reply: false, compose: false) == .inbox)
        #expect(
            try WindowRequest(
                "cutie://conversation/conv_1?account=work&message=msg_2", reply: false, compose: false)
                == .thread(
                    ThreadLink(conversation: "conv_1", account: "work", message: "msg_2"), reply: false))
        #expect(
            try WindowRequest("conv 1", account: "home", reply: true, compose: false)
                == .thread(ThreadLink(conversation: "conv 1", account: "home"), reply: true))
        #expect(
            try WindowRequest("cutie://link?token=cutie_ft_1", reply: false, compose: false)
                == .app(FeedbackToken("cutie_ft_1")))
        #expect(
            try WindowRequest(
                "cutie://link?token=t&api_url=http%3A%2F%2F127.0.0.1%3A1", reply: false, compose: false)
                == .app("t", api: APIAddress("http://127.0.0.1:1")))
        #expect(
            try WindowRequest("cutie://setup?app_id=app_1", reply: false, compose: false)
                == .setup(appID: "app_1", api: nil))
        #expect(
            try WindowRequest(nil, account: "work", reply: false, compose: true) == .compose(account: "work"))
        #expect(try WindowRequest(nil, reply: false, compose: false, page: "questions") == .page("questions"))
    }

    @Test @MainActor func `Each page can be opened by its name on the command line`() throws {
        #expect(Set(WindowRequest.pages) == Set(PageKind.all.map(\.id)))
        for page in WindowRequest.pages {
            #expect(try WindowRequest(nil, reply: false, compose: false, page: page) == .page(page))
        }
    }

    @Test func `An unknown page is rejected, as is a page together with a conversation`() {
        #expect(throws: WindowRequest.InvalidRequest.self) {
            try WindowRequest(nil, reply: false, compose: false, page: "nowhere")
        }
        #expect(throws: WindowRequest.InvalidRequest.self) {
            try WindowRequest("conv_1", reply: false, compose: false, page: "questions")
        }
    }

    @Test(arguments: ["https://example.org", "cutie://conversation/../x", "cutie://link?token=", "a/b", ".."])
    func `An argument that is neither a link nor an ID is rejected`(word: String) {
        #expect(throws: WindowRequest.InvalidRequest.self) {
            try WindowRequest(word, reply: false, compose: false)
        }
    }

    @Test func `Arguments that contradict each other are rejected`() {
        #expect(throws: WindowRequest.InvalidRequest.self) {
            try WindowRequest(nil, reply: true, compose: false)
        }
        #expect(throws: WindowRequest.InvalidRequest.self) {
            try WindowRequest("conv_1", reply: false, compose: true)
        }
        #expect(throws: WindowRequest.InvalidRequest.self) {
            try WindowRequest("cutie://link?token=cutie_ft_1", reply: true, compose: false)
        }
        #expect(throws: WindowRequest.InvalidRequest.self) {
            try WindowRequest("cutie://setup?app_id=app_1", reply: true, compose: false)
        }
    }
}

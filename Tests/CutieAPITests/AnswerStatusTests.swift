import CutieAPI
import Reasons
import Testing

struct AnswerStatusTests {
    private static let read = Endpoint.listConversations().request
    private static let ping = Endpoint.unregisterNotifications().request

    @Test(arguments: [
        (200, true), (201, true), (204, false), (205, false), (206, false), (304, false), (300, false),
        (301, false),
        (302, false), (307, false), (308, false), (399, false), (400, true), (404, true), (429, true),
        (500, true),
        (599, true), (100, false), (101, false), (0, false), (600, false), (999, false),
    ])
    func `A response is rejected if its HTTP status is unexpected for the request`(
        status: Int, isAnswer: Bool
    ) {
        #expect(
            (Self.read.unexpectedStatusReason(forStatus: status, isConditional: false) == nil) == isAnswer)
    }

    @Test
    func `The status 304 is accepted only for a conditional request, and 204 only if no content is expected`()
    {
        #expect(Self.read.unexpectedStatusReason(forStatus: 304, isConditional: true) == nil)
        #expect(Self.read.unexpectedStatusReason(forStatus: 204, isConditional: true) != nil)
        #expect(Self.ping.unexpectedStatusReason(forStatus: 204, isConditional: false) == nil)
        #expect(Self.ping.unexpectedStatusReason(forStatus: 206, isConditional: false) != nil)
        #expect(
            Self.read.unexpectedStatusReason(forStatus: 304, isConditional: false)?.english
                == "the service returned 304 (not modified) to an unconditional request")
    }
}

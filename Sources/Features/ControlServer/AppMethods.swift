import Accounts
import ControlAPI
import CutieAPI
import Domain
import Notifications
import Reasons
import Store
import VarlinkSocket

/// The handlers for handing accounts over between an app and the Feedback App.
struct AppMethods: ControlMethods {
    let handOver: HandOver
    let added: AddedAccounts
    let questions: Questions

    var implementation: Implementation {
        Implementation().on(handOverApp).on(cancelHandOver).on(takeApp).on(listApps).on(removeApp)
    }

    func handOverApp(_ call: HandOverApp) async throws -> HandOverApp.Reply {
        let offer = try await handOver.createOffer(account: call.account)
        return HandOverApp.Reply(
            account: offer.account, token: offer.token.rawValue, link: offer.link.text)
    }

    func cancelHandOver(_ call: CancelHandOver) async throws -> CancelHandOver.Reply {
        try await handOver.revoke(FeedbackToken(call.token), forAccount: call.account)
        return CancelHandOver.Reply()
    }

    func takeApp(_ call: TakeApp) async throws -> TakeApp.Reply {
        let token = FeedbackToken(call.token)
        let api = try call.apiUrl.map(parseAddress)
        let address = try handOver.checkedRedemptionAddress(of: token, account: call.account, api: api)
        let app = await handOver.fetchAppName(for: token, account: call.account, api: api)
        let question = Question.app(token, appName: app, account: call.account, api: address)
        let record = try questions.ask(question, byNotification: call.quiet != true)
        return TakeApp.Reply(question: QuestionView(record, question: question, for: questions.reader))
    }

    private func parseAddress(_ text: String) throws(ServiceError) -> APIAddress {
        do throws(APIAddress.ParseError) { return try APIAddress(text) } catch {
            throw .invalidArgument(parameter: "apiUrl", reason: error.reason)
        }
    }

    func listApps(_: ListApps) throws -> ListApps.Reply {
        ListApps.Reply(
            apps: try added.fetchAll().map {
                AppView(
                    account: $0.name, appId: $0.appID, appName: $0.appName, apiUrl: $0.apiURL,
                    addedAt: $0.addedAt.milliseconds)
            })
    }

    func removeApp(_ call: RemoveApp) throws -> RemoveApp.Reply {
        try handOver.removeAccount(named: call.account)
        return RemoveApp.Reply()
    }
}

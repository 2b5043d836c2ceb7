import CutiE
import Glibc

/// Sends a question to the developer of an app and waits for the reply: `Answers APP_ID WORDS [API_URL]`.
@main
struct Answers {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let appId = arguments.first, let words = arguments.dropFirst().first else {
            return print("usage: Answers APP_ID WORDS [API_URL]")
        }
        let apiURL = arguments.dropFirst(2).first ?? "https://api.cuti-e.com"
        // The first call asks the user whether the app may receive replies. The next call waits for the
        // user's answer.
        CutiE.configure(appId: appId, apiURL: apiURL, appName: "Swift example")
        do {
            let receipt = try await CutiE.submitConversation(category: .question, message: words)
            print(receipt.isQueued ? "queued until the network is back" : "sent")
            for try await answer in CutiE.messages {
                print("\(answer.senderName ?? "Support"): \(answer.message)")
                return try await CutiE.markAllMessagesRead(conversationId: answer.conversationID)
            }
        } catch let error as CutiEError {
            print(error)
            exit(1)
        }
    }
}

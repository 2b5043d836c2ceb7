import CutiELink

/// The program for the SDK's second module.
enum LinkProgram {
    @MainActor static func open(_ appId: String, _ url: String) async throws {
        CutiELink.configure(appId: appId, apiURL: url)
        print("installed \(CutiELink.isFeedbackAppInstalled)")
        do {
            try await CutiELink.openFeedbackApp()
        } catch CutiELinkError.notConfigured {
            print("notConfigured")
        } catch CutiELinkError.invalidCredentials {
            print("invalidCredentials")
        } catch CutiELinkError.invalidURL {
            print("invalidURL")
        } catch CutiELinkError.invalidDeepLink {
            print("invalidDeepLink")
        } catch CutiELinkError.invalidResponse {
            print("invalidResponse")
        } catch CutiELinkError.serverError(let status) {
            print("serverError \(status)")
        } catch CutiELinkError.feedbackAppNotInstalled {
            print("feedbackAppNotInstalled")
        }
    }
}

import CutiELink

/// Programs that use CutiELink, the second module of the SDK.
enum LinkProgram {
    /// Configures the hosted sandbox API, which the user does not allow, and then the API at `url` again.
    static func useSandbox(_ appId: String, _ url: String) async {
        CutiELink.configure(appId: appId, apiURL: url)
        CutiELink.useSandbox()
        await printCode()
        CutiELink.configure(appId: appId, apiURL: url)
        await printCode()
    }

    private static func printCode() async {
        do {
            print(try await CutiELink.generateLinkCode().linkCode.isEmpty ? "no code" : "code")
        } catch { print(error) }
    }

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

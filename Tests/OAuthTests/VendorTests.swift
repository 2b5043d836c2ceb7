import CutieAPI
import TestSupport
import Testing

@testable import OAuth

/// Tests of decoding the responses of real authorization servers.
struct VendorTests {
    private static let origin = "https://issuer.example"

    private func json(_ answer: VendorResponses.Response) throws -> [UInt8] {
        let body = Array(answer.body.utf8)
        return answer.type.hasPrefix("application/json")
            ? body : try #require(Form.jsonObject(fromForm: body))
    }

    private func error(_ answer: VendorResponses.Response) throws -> OAuthError? {
        OAuthError(json: try json(answer), hiding: Redaction())
    }

    @Test(arguments: VendorResponses.all)
    func `The metadata from each vendor is accepted for the vendor's issuer`(
        vendor: VendorResponses
    ) throws {
        let issuer = try Issuer(vendor.issuer.replacing("ORIGIN", with: Self.origin))
        #expect(issuer.metadataAddresses.contains(Self.origin + vendor.metadataPath))
        let metadata = try IssuerMetadata(
            json: Array(vendor.metadata.replacing("ORIGIN", with: Self.origin).utf8), of: issuer)
        #expect(metadata.signInMethods(hasClientSecret: false) == [.device, .browser])
    }

    @Test(arguments: VendorResponses.all)
    func `The device authorization response from each vendor is decoded`(
        vendor: VendorResponses
    ) throws {
        let authorization = try DeviceAuthorization(json: json(vendor.device))
        #expect(authorization.userCode == vendor.userCode)
        #expect(authorization.expiresIn == vendor.expiresIn && authorization.interval == vendor.interval)
        #expect(authorization.deviceCode.rawValue == "device-secret")
        #expect(authorization.verificationURI.description.hasPrefix("https://"))
    }

    @Test(arguments: VendorResponses.all)
    func `Responses from each vendor that report a pending or denied request are recognized`(
        vendor: VendorResponses
    ) throws {
        var polling = DevicePolling(try DeviceAuthorization(json: json(vendor.device)), now: .zero)
        for (answer, wait) in vendor.pending {
            let input: DevicePolling.Input = try error(answer).map { .refused($0) } ?? .unanswered()
            #expect(polling.handle(input, now: .seconds(1)) == .wait(.seconds(wait)), "\(answer.body)")
        }
        let denial = try #require(try error(vendor.denied))
        #expect(polling.handle(.refused(denial), now: .seconds(2)) == .fail(.denied))
        #expect(!denial.description.contains { $0.isNewline }, "a description is one line")
    }

    @Test(arguments: VendorResponses.all) func `The token responses from each vendor are decoded`(
        vendor: VendorResponses
    ) throws {
        let answer = try TokenResponse(json: json(vendor.tokens))
        #expect(answer.accessToken.rawValue == "access-1" && answer.expiresIn == vendor.lifetime)
        #expect(answer.scope?.names == vendor.scope)
        #expect(answer.refreshToken?.rawValue == (vendor.refreshed == nil ? nil : "refresh-1"))
        #expect(try error(vendor.tokens) == nil, "the response is not an error")
        guard let refreshed = vendor.refreshed else { return }
        #expect(try TokenResponse(json: json(refreshed)).accessToken.rawValue == "access-2")
    }
}

import AccessAPI

// MARK: - Sharing the app's conversations with another device of the user

extension CutiE {
    /// Starts to link another device to this device. Show the token to the user, who enters it on the other device.
    public func initiateLinkToken() async throws -> LinkTokenResponse {
        LinkTokenResponse(try await session.ask(InitiateLink()))
    }

    /// Accepts a link that another device offers. cutied asks the user first.
    ///
    /// - Parameters:
    ///   - token: the token from the other device.
    ///   - deviceName: the name under which other devices show this device; `nil` for the host name.
    /// - Throws: ``CutiEError/serverError(_:_:)`` with status 403 if the user refuses, and with 408 if the
    ///   user does not answer in time.
    public func confirmLink(token: String, deviceName: String? = nil) async throws -> LinkConfirmResponse {
        LinkConfirmResponse(
            try await session.ask(
                ConfirmLink(linkToken: token, deviceName: deviceName), timeout: AccessClient.questionTimeout))
    }

    /// Returns the progress of a link that this app offered. Call this method every few seconds while you
    /// show the token.
    public func checkLinkStatus(token: String) async throws -> LinkStatusResponse {
        LinkStatusResponse(try await session.ask(LinkStatus(linkToken: token)), token: token)
    }

    /// Returns the devices that share the conversations.
    public func getLinkedDevices() async throws -> LinkedDevicesResponse {
        LinkedDevicesResponse(try await session.ask(LinkedDevices()))
    }

    /// Stops sharing the conversations with a device. cutied asks the user first.
    ///
    /// - Throws: ``CutiEError/serverError(_:_:)`` with status 403 if the user refuses, and with 408 if the
    ///   user does not answer in time.
    public func unlinkDevice(_ deviceId: String) async throws {
        _ = try await session.ask(UnlinkDevice(device: deviceId), timeout: AccessClient.questionTimeout)
    }
}

import CutieAPI

/// Who changes something. Registration, attestation, pings and the hand-over ask less: a device without its
/// key could never come back, and the last two are made without a token.
extension Gate {
    /// A device whose token and assertion are right. The assertion is used up even where the change is
    /// refused then.
    func changingDevice(_ call: Call, _ archive: Archive) async throws -> DeviceCredential {
        let credential = try device(call)
        try await archive.change { change in
            let caller = try change.database.caller(credential)
            if has(.attestation) {
                try change.checkAssertion(of: call, by: caller.device, isRequired: requiresAssertions)
            }
        }
        return credential
    }

    /// Such a device, or an admin.
    func changingAnyone(_ call: Call, _ archive: Archive) async throws -> Credential {
        call.header(HeaderName.authorization) == nil
            ? .device(try await changingDevice(call, archive)) : .admin(accessToken: try admin(call))
    }
}

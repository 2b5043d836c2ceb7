extension Endpoint where Answer == Attestation.Challenge {
    public static func attestationChallenge() -> Self {
        Self(APIRequest(.post, "device", "attest", "challenge"))
    }
}

extension Endpoint where Answer == Attestation.Accepted {
    public static func attest(_ submission: Attestation.Submission) -> Self {
        Self(APIRequest(.post, "device", "attest", body: submission))
    }
}

extension Endpoint where Answer == Attestation.State {
    public static func attestationStatus() -> Self {
        Self(APIRequest(.get, "device", "attest", "status"))
    }
}

extension Endpoint where Answer == Acknowledgement {
    public static func attestAssert(_ assertion: Attestation.Assertion) -> Self {
        Self(APIRequest(.post, "device", "attest", "assert", body: assertion))
    }

    public static func removeAttestation() -> Self {
        Self(APIRequest(.delete, "device", "attest"))
    }
}

import CutieAPI
import Testing

@testable import Identity

/// The expected values are those of `printf %s TEXT | sha256sum`.
@Suite struct `What is derived from a device id` {
    let device = DeviceID("device_0B7C1E6E-6A1F-4B7A-9C38-2D5B1A7E9F10")

    @Test func `The device secret`() {
        #expect(
            DeviceProof.secret(of: device).rawValue
                == "4cdf2b5cf6a256469baba4ae1a6e20dd9d44f3e5fd2e49047acb41d9acfe0e5d")
    }

    @Test func `The hashed id of an activity ping`() {
        #expect(
            DeviceProof.hashedID(of: device, bundleID: "io.cutied.demo")
                == "333f9bced26df54b28f8e03fc03ec3800c8663a7f98a8204b3ae3e259441c9b3")
    }

    @Test func `SHA-256 of nothing`() {
        #expect(
            Hexadecimal.text(of: Digest.sha256([]))
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}

import CutieAPI
import Testing

@Suite struct LinkingTests {
    private func link(_ one: TestDevice, _ two: TestDevice) async throws -> Linking.Offer {
        let offer: Linking.Offer = try await one.call("POST", "/v1/sdk/link/initiate").decoded()
        let body = #"{"link_token":"\#(offer.linkToken.rawValue)","device_name":"Laptop"}"#
        let answer = try await two.call("POST", "/v1/sdk/link/confirm", body)
        try #require(answer.status == 200, "\(answer.error ?? "")")
        return offer
    }

    @Test func `Linked devices share one inbox and its read state`() async throws {
        try await withSandbox { sandbox in
            let (one, two) = (try await sandbox.device(), try await sandbox.device())
            let admin = try await sandbox.admin()
            let (mine, yours) = (try await one.begin(), try await two.begin())
            try await admin.reply(to: mine)
            try await admin.reply(to: yours)
            let offer = try await link(one, two)
            #expect(!offer.hasExistingGroup && offer.expiresIn == 300)
            for device in [one, two] {
                let page = try await device.list()
                #expect(page.totalUnread == 2)
                #expect(Set(page.conversations.map(\.id)) == [mine, yours])
            }
            try await two.markRead(mine)
            #expect(try await one.list().totalUnread == 1)
            let status: Linking.Progress = try await one.call(
                "GET", "/v1/sdk/link/status/\(offer.linkToken.rawValue)"
            ).decoded()
            #expect(status.status == .confirmed && status.targetDeviceName == "Laptop")
        }
    }

    @Test
    func `An open event stream reports the link and then the events of the linked device's conversations`()
        async throws
    {
        try await withSandbox { sandbox in
            let (one, two) = (try await sandbox.device(), try await sandbox.device())
            let admin = try await sandbox.admin()
            let mine = try await one.begin()
            let streams = [try OpenStream(one), try OpenStream(two)]
            defer { for stream in streams { stream.close() } }
            for stream in streams { try await stream.opened() }
            _ = try await link(one, two)
            for stream in streams { try await stream.events(2) }
            try await admin.reply("for both", to: mine)
            for stream in streams {
                let types = try await stream.events(3).map(\.type)
                #expect(types == ["device.linked", "reset", "message.created"])
            }
        }
    }

    @Test func `A removed device has an empty inbox, and the other device keeps all conversations`()
        async throws
    {
        try await withSandbox { sandbox in
            let (one, two) = (try await sandbox.device(), try await sandbox.device())
            let yours = try await two.begin()
            _ = try await link(one, two)
            let stream = try OpenStream(two)
            defer { stream.close() }
            try await stream.opened()
            let group: Linking.Group = try await one.call("GET", "/v1/sdk/link/devices").decoded()
            #expect(group.linked)
            #expect(group.devices.map(\.deviceID) == [one.id, two.id])
            #expect(group.devices.map(\.isPrimary) == [true, false])
            #expect(group.devices.map(\.isCurrent) == [true, false])
            #expect(try await one.call("DELETE", "/v1/sdk/link/devices/\(two.id)").status == 200)
            #expect(try await two.list().conversations.isEmpty)
            #expect(try await one.list().conversations.map(\.id) == [yours])
            #expect(try await stream.events(2).map(\.type) == ["device.unlinked", "reset"])
            let alone: Linking.Group = try await one.call("GET", "/v1/sdk/link/devices").decoded()
            #expect(!alone.linked)
            #expect(try await one.call("DELETE", "/v1/sdk/link/devices/\(two.id)").status == 404)
        }
    }

    @Test func `A link token can be confirmed by only one other device, which may repeat the confirmation`()
        async throws
    {
        try await withSandbox { sandbox in
            let (one, two) = (try await sandbox.device(), try await sandbox.device())
            let three = try await sandbox.device()
            let offer: Linking.Offer = try await one.call("POST", "/v1/sdk/link/initiate").decoded()
            let body = #"{"link_token":"\#(offer.linkToken.rawValue)"}"#
            let path = "/v1/sdk/link/confirm"
            #expect(try await one.call("POST", path, body).status == 422)
            #expect(try await two.call("POST", path, body).status == 200)
            #expect(try await two.call("POST", path, body).status == 200)
            #expect(try await three.call("POST", path, body).status == 409)
            #expect(try await three.call("POST", path, #"{"link_token":"x"}"#).status == 404)
            let status = "/v1/sdk/link/status/\(offer.linkToken.rawValue)"
            #expect(try await three.call("GET", status).status == 404)
        }
    }
}

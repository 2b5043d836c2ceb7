import ControlAPI

extension LinkView {
    var isPending: Bool { status == "pending" }
    var isConfirmed: Bool { status == "confirmed" }
    var isOver: Bool { status == "expired" }
}

extension LinkView: Readable {
    func text(on page: Page) -> String {
        if isConfirmed {
            return PlainText.line(deviceName.map { "linked with \($0)" } ?? "linked") + "\n"
        }
        if isOver { return "the time is over; nobody confirmed the link\n" }
        let end = expiresAt.map { ", good until \(page.clock.time($0, seconds: true))" } ?? ""
        return PlainText.line("link token \(linkToken)\(end)") + "\n"
    }
}

extension ConfirmLink.Reply: Readable {
    func text(on page: Page) -> String { PlainText.line("linked; this device is \(name) there") + "\n" }
}

extension RemoveDevice.Reply: Readable {
    func text(on page: Page) -> String { "removed\n" }
}

extension LinkedDevices.Reply: Readable {
    var remark: String? {
        unanswered.map { PlainText.line("no answer from the API of " + $0.joined(separator: ", ")) }
    }

    func text(on page: Page) -> String {
        if devices.isEmpty { return "not linked with another device; see `cutied ctl link start`\n" }
        let namesAccounts = Phrases.namesAccounts(devices.map(\.account))
        var table = Table(
            [.init("DEVICE")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [.init("SINCE"), .init("NAME")])
        for device in devices { table.append(device.row(on: page, namesAccount: namesAccounts)) }
        return table.text(on: page)
    }
}

extension DeviceView {
    fileprivate func row(on page: Page, namesAccount: Bool) -> [Table.Cell] {
        let marks = [current ? "this one" : nil, primary ? "primary" : nil].compactMap { $0 }
        let name = [deviceName, marks.isEmpty ? nil : "(\(marks.joined(separator: ", ")))"]
        return [.init(deviceId)] + (namesAccount ? [.init(account)] : [])
            + [
                .init(page.relative(joinedAt, otherwise: "")),
                .init(name.compactMap { $0 }.joined(separator: " ")),
            ]
    }
}

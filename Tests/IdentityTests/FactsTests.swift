import CutieAPI
import Foundation
import TestSupport
import Testing

@testable import Identity

@Suite struct `Device facts` {
    @Test(arguments: [
        ("PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=x", "Debian GNU/Linux 12 (bookworm)"),
        ("NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n", "Debian GNU/Linux 12"),
        ("NAME=Arch\\ Linux\n", "Arch Linux"),
        ("NAME='It'\\''s $HOME'", "It's $HOME"),
        (#"PRETTY_NAME="a \"b\" \$c \`d\` \\ \e""#, #"a "b" $c `d` \ \e"#),
        ("# PRETTY_NAME=no\n  NAME=Void  \n", "Void"),
        ("NAME=one two", "one"),
        ("PRETTY_NAME=\"open\nNAME=Alpine\nVERSION_ID=3.20.0", "Alpine 3.20.0"),
        ("PRETTY_NAME=\nNAME=\"Nix\"", "Nix"),
        ("NAME=A\r\nVERSION_ID=1\r\n", "A 1"),
    ])
    func `The os-release file is parsed the way a shell parses it`(_ text: String, _ name: String) {
        #expect(OSRelease(text).name == name)
    }

    @Test(arguments: ["", "VERSION_ID=1", "PRETTY_NAME", "=x", "NAME=\"", "NAME=\\"])
    func `An os-release file without a name yields no operating system name`(_ text: String) {
        #expect(OSRelease(text).name == nil)
    }

    @Test(arguments: [
        ("Dell Inc.\n", "XPS 13 9310\n", nil, "Dell Inc. XPS 13 9310"),
        ("HP", "HP EliteBook 840", nil, "HP EliteBook 840"),
        ("LENOVO", "20XW0026GE", "ThinkPad X1 Carbon Gen 9", "LENOVO ThinkPad X1 Carbon Gen 9"),
        ("LENOVO", "20XW0026GE", "INVALID", "LENOVO 20XW0026GE"),
        ("To Be Filled By O.E.M.", "B450 Pro4", nil, "B450 Pro4"),
        ("QEMU", "Standard PC (Q35 + ICH9, 2009)", "pc", "QEMU Standard PC (Q35 + ICH9, 2009)"),
    ])
    func `The computer model consists of the vendor and the product name`(
        _ vendor: String, _ product: String, _ version: String?, _ name: String
    ) {
        #expect(HardwareModel(vendor: vendor, product: product, version: version).name == name)
    }

    @Test(arguments: [
        "To Be Filled By O.E.M.", "to be filled by o.e.m.\n", "System Product Name", "Default string", " ",
        "None",
    ])
    func `A placeholder in the firmware tables does not count as a computer model`(_ product: String) {
        #expect(HardwareModel(vendor: "ASUS", product: product, version: nil).name == nil)
        #expect(HardwareModel(vendor: nil, product: nil, version: nil).name == nil)
    }

    @Test(arguments: [
        ("de_DE.UTF-8@euro", "de", "DE"), ("en_US", "en", "US"), ("fr", "fr", nil),
        ("ca_ES@valencia", "ca", "ES"),
        ("kok_IN.utf8", "kok", "IN"), ("DE_at", "de", "AT"), ("es_419", "es", nil), ("C", nil, nil),
        ("C.UTF-8", nil, nil), ("POSIX", nil, nil), ("", nil, nil), ("_DE", nil, nil), ("d3_DE", nil, nil),
        ("../../etc", nil, nil), ("de_", "de", nil),
    ])
    func `A locale name consists of a language and an optional country`(
        _ name: String, _ language: String?, _ country: String?
    ) {
        let locale = LocaleName(name)
        #expect(locale.language == language)
        #expect(locale.country == country)
    }

    @Test func `The locale is the value of the first locale variable that is set`() {
        let all = ["LC_ALL": "de_AT", "LC_MESSAGES": "fr_FR", "LANG": "en_US"]
        #expect(LocaleName(environment: all).country == "AT")
        #expect(LocaleName(environment: all.merging(["LC_ALL": ""]) { $1 }).country == "FR")
        #expect(LocaleName(environment: all.merging(["LC_ALL": "C"]) { $1 }).country == nil)
        #expect(LocaleName(environment: ["LANG": "en_US"]).country == "US")
    }

    @Test func `Device facts are read from files, and the device context selects the facts to send`() throws {
        let root = try TemporaryDirectory()
        for directory in ["etc", "sys/class/dmi/id"] { try makeDirectory(root.file(directory)) }
        func write(_ text: String, _ path: String) throws {
            try text.write(toFile: root.file(path), atomically: true, encoding: .utf8)
        }
        try write("PRETTY_NAME=\"Deb\u{7}ian\"\n", "etc/os-release")
        try write("Framework\n", "sys/class/dmi/id/sys_vendor")
        try write("Laptop 13\n", "sys/class/dmi/id/product_name")
        let facts = DeviceFacts.readFromMachine(
            root: root.path, environment: ["LANG": "de_DE.UTF-8"], appVersion: "1.2")
        let all = DeviceFacts(
            language: "de", country: "DE", appVersion: "1.2", osVersion: "Debian",
            deviceModel: "Framework Laptop 13")
        #expect(facts == all)
        #expect(DeviceContext.all.allowedFacts(in: facts) == all)
        #expect(DeviceContext.none.allowedFacts(in: facts) == DeviceFacts())
        #expect(DeviceContext.standard.allowedFacts(in: facts).deviceModel == nil)
    }

    @Test func `Without firmware tables, the computer model is read from the device tree`() throws {
        let root = try TemporaryDirectory()
        try makeDirectory(root.file("sys/firmware/devicetree/base"))
        try "Raspberry Pi 4 Model B\u{0}".write(
            toFile: root.file("sys/firmware/devicetree/base/model"), atomically: true, encoding: .utf8)
        let facts = DeviceFacts.readFromMachine(root: root.path, environment: [:], appVersion: nil)
        #expect(facts == DeviceFacts(deviceModel: "Raspberry Pi 4 Model B"))
    }

    @Test func `The operating system of the test machine has a name`() {
        #expect(DeviceFacts.readFromThisMachine(environment: [:]).osVersion?.isEmpty == false)
    }
}

/// The expected hashes are the output of `printf %s TEXT | sha256sum`.
@Suite struct `Values derived from a device ID` {
    let device = DeviceID("device_0B7C1E6E-6A1F-4B7A-9C38-2D5B1A7E9F10")

    @Test func `The device secret is a SHA-256 hash of the device ID`() {
        #expect(
            DeviceProof.derivedSecret(for: device).rawValue
                == "4cdf2b5cf6a256469baba4ae1a6e20dd9d44f3e5fd2e49047acb41d9acfe0e5d")
    }

    @Test func `The ID in an activity ping is a hash of the device ID and the bundle ID`() {
        #expect(
            DeviceProof.hashedID(of: device, bundleID: "io.cutied.demo")
                == "333f9bced26df54b28f8e03fc03ec3800c8663a7f98a8204b3ae3e259441c9b3")
    }

    @Test func `The SHA-256 digest of empty input is correct`() {
        #expect(
            Hexadecimal.hexText(of: Digest.sha256([]))
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}

// swift-tools-version: 6.2
import Glibc
import PackageDescription

// Compiler settings for every target.
let rules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Warnings are errors in CI, because warnings in a log go unnoticed.
let strict: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

extension Target {
    static func module(
        _ name: String, _ dependencies: [Dependency] = [], path: String? = nil, exclude: [String] = [],
        resources: [Resource] = [], settings: [SwiftSetting] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
            swiftSettings: rules + strict + settings)
    }

    static func program(_ name: String, _ dependencies: [Dependency], path: String? = nil) -> Target {
        .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: rules + strict)
    }

    static func tests(
        _ subject: String, _ dependencies: [Dependency] = [], exclude: [String] = [],
        resources: [Resource] = []
    ) -> Target {
        .testTarget(
            name: subject + "Tests", dependencies: [.init(stringLiteral: subject)] + dependencies,
            exclude: exclude, resources: resources, swiftSettings: rules + strict)
    }
}

/// Returns the targets of a layer. Sets the path of each target to a subfolder of `folder`, unless the target
/// has an explicit path.
func layer(_ folder: String, _ targets: [Target]) -> [Target] {
    for target in targets where target.path == nil { target.path = "\(folder)/\(target.name)" }
    return targets
}

/// Returns the include flags of a library from pkg-config. A system library target would also link the
/// library, which is loaded at run time instead.
func headers(of library: String) -> [CSetting] {
    guard let answer = popen("pkg-config --cflags-only-I \(library)", "r") else { return [] }
    defer { pclose(answer) }
    var bytes = [CChar](repeating: 0, count: 1 << 16)
    guard fgets(&bytes, CInt(bytes.count), answer) != nil else { return [] }
    let words = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return [.unsafeFlags(words.split { $0.isWhitespace }.map(String.init))]
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let logging = product(name: "Logging", package: "swift-log")
}

let c = layer(
    "Sources/C",
    [
        .target(
            name: "CCurl",
            linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "CIntl"),
        .target(
            name: "CLinux"),
        // Loads libnotify at run time, if libnotify is installed. Its pkg-config file is not used, because
        // that file requires GdkPixbuf.
        .target(
            name: "CNotify", cSettings: [.headerSearchPath("pixbuf")] + headers(of: "gio-2.0"),
            linkerSettings: [.linkedLibrary("gobject-2.0"), .linkedLibrary("glib-2.0")]),
        .target(
            name: "COpenSSL", linkerSettings: [.linkedLibrary("crypto")]),
        .target(
            name: "CQREncode", linkerSettings: [.linkedLibrary("qrencode")]),
        .target(
            name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        // Loads libsecret at run time, if libsecret is installed.
        .target(
            name: "CSecret", cSettings: headers(of: "libsecret-1"),
            linkerSettings: [
                .linkedLibrary("gio-2.0"), .linkedLibrary("gobject-2.0"), .linkedLibrary("glib-2.0"),
            ]),
        .target(
            name: "CSystemd", linkerSettings: [.linkedLibrary("systemd")]),
        // Loads tpm2-tss at run time, when the daemon uses a TPM.
        .target(
            name: "CTPM2"),
        .target(
            name: "CTray", cSettings: headers(of: "gio-2.0 dbusmenu-glib-0.4"),
            linkerSettings: [
                .linkedLibrary("dbusmenu-glib"), .linkedLibrary("gio-2.0"), .linkedLibrary("gobject-2.0"),
                .linkedLibrary("glib-2.0"),
            ]),
        .systemLibrary(
            name: "Libadwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
        .systemLibrary(
            name: "Libyaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    ])

let core = layer(
    "Sources/Core",
    [
        .module(
            "AccessAPI", ["JSONReading", "Varlink"], resources: [.embedInCode("io.cutied.Access.varlink")]),
        .module("AttestationFormat", ["CutieAPI"]),
        .module("NotificationPolicy", ["Config", "CutieAPI", "FeedPolicy", "Localization"]),
        .module("CommandWords", ["JSONReading", .argumentParser]),
        .module("Config", ["Reasons", "CutieAPI", "YAML"]),
        .module(
            "ControlAPI", ["Reasons", "Varlink"],
            resources: [
                .embedInCode("io.cutied.Control.varlink"), .embedInCode("io.cutied.Grants.varlink"),
                .embedInCode("io.cutied.SignIn.varlink"), .embedInCode("io.cutied.Staff.varlink"),
            ]),
        .module("CutieAPI", ["JSONReading", "Reasons"]),
        .module("Domain", ["Reasons", "CutieAPI"]),
        .module("EventSource"),
        .module("FeedPolicy", ["Reasons", "Config", "CutieAPI"]),
        .module(
            "InboxModel",
            ["Reasons", "ControlAPI", "CutieAPI", "Domain", "Localization", "MessageText", "TextSearch"]),
        .module("JSONReading"),
        .module("Localization", ["CIntl"]),
        .module("MessageText", ["TextSearch"]),
        .module("OAuth", ["Reasons", "CutieAPI"]),
        .module("Reasons", ["Localization"]),
        .module("RSD2", ["JSONReading", "Reasons", "CutieAPI", "OAuth", "YAML"]),
        .module("TextSearch"),
        .module("Varlink", ["JSONReading"]),
        .module("YAML", ["Libyaml"]),
    ])

let adapters = layer(
    "Sources/Adapters",
    [
        .module("Desktop", ["NotificationPolicy", "CNotify", "Runtime"]),
        .module(
            "Gtk", ["CLinux", "Libadwaita", "Runtime"], settings: [.defaultIsolation(MainActor.self)]),
        // Workaround for the Swift 6.3 compiler: with whole-module optimization, the isolated deinit of
        // `HTTPClient` causes the error "circular reference" in modules that import `HTTP`.
        .module(
            "HTTP", ["Reasons", "CCurl", "CLinux", "Config", "Runtime"],
            settings: [.unsafeFlags(["-no-whole-module-optimization"], .when(configuration: .release))]),
        .module(
            "Identity",
            [
                "Reasons", "AttestationFormat", "CLinux", "COpenSSL", "CSecret", "CTPM2", "Config",
                "CutieAPI", "Runtime",
            ]),
        .module("QR", ["CQREncode"]),
        .module("Store", ["Reasons", "NotificationPolicy", "CSQLite", "CutieAPI", "TextSearch", "Runtime"]),
        .module("Platform", ["CLinux", "Runtime"]),
        .module("Systemd", ["CSystemd", "Platform", "Runtime", .logging]),
        .module("Runtime", ["CLinux"]),
        .module("Tray", ["CTray", "Runtime"]),
        .module("VarlinkSocket", ["CLinux", "Runtime", "Varlink"]),
    ])

let features = layer(
    "Sources/Features",
    [
        .module(
            "Access",
            [
                "Reasons",
                "Accounts", "CutieAPI", "Domain", "HTTP", "Identity",
                "FeedPolicy",
                "EventLog", "OAuth", "RSD2", "Notifications", "Store", .logging,
            ],
            settings: [.defaultIsolation(MainActor.self)]),
        .module(
            "AccessMethods",
            [
                "Reasons",
                "Access", "AccessAPI", "AccessServer", "Accounts", "CutieAPI", "Domain", "EventLog",
                "FeedPolicy", "OAuth", "RSD2", "Services", "Store",
            ],
            settings: [.defaultIsolation(MainActor.self)]),
        .module("AccessServer", ["Reasons", "AccessAPI", "Domain", "Varlink", "VarlinkSocket"]),
        .module(
            "Accounts",
            [
                "Reasons",
                "AttestationFormat", "Config", "CutieAPI", "Domain", "EventSource", "HTTP", "Identity",
                "FeedPolicy", "EventLog", "OAuth", "Platform", "Store", "Runtime", .logging,
            ],
            settings: [.defaultIsolation(MainActor.self)]),
        .module(
            "Control",
            [
                "Reasons",
                "CommandWords", "Config", "ControlAPI", "ControlClient", "CutieAPI", "Domain", "Localization",
                "MessageText", "NotificationPolicy", "OAuth", "Platform", "QR",
                "Setup", "Runtime", "TextSearch", .argumentParser,
            ]),
        .module("ControlClient", ["Reasons", "ControlAPI", "Runtime", "Varlink", "VarlinkSocket"]),
        .module(
            "ControlServer",
            [
                "Reasons",
                "Access", "Accounts", "NotificationPolicy", "AttestationFormat",
                "Config",
                "ControlAPI", "CutieAPI", "Domain", "Identity",
                "FeedPolicy", "Localization", "EventLog", "OAuth", "Platform", "Notifications", "Services",
                "Store",
                "Varlink",
                "VarlinkSocket", .logging,
            ],
            settings: [.defaultIsolation(MainActor.self)]),
        .module("CutiE", ["AccessAPI", "JSONReading", "Platform", "Runtime", "Varlink", "VarlinkSocket"]),
        .module("CutiELink", ["CutiE"]),
        .module(
            "Daemon",
            [
                "Reasons",
                "Access", "AccessMethods", "AccessServer", "Accounts", "NotificationPolicy",
                "AttestationFormat", "Config",
                "ControlAPI",
                "ControlServer",
                "CutieAPI", "Domain", "Desktop", "HTTP", "Identity", "FeedPolicy", "Localization", "EventLog",
                "OAuth",
                "Platform",
                "Notifications",
                "Services", "Store", "Systemd", "Runtime", "Varlink", "VarlinkSocket", .logging,
            ],
            settings: [.defaultIsolation(MainActor.self)]),
        .module(
            "Doctor",
            [
                "Reasons",
                "NotificationPolicy", "Config", "ControlAPI", "ControlClient", "CutieAPI", "Desktop", "HTTP",
                "OAuth",
                "Platform", "Runtime", "Systemd",
            ]),
        .module(
            "EventLog",
            [
                "Reasons",
                "NotificationPolicy", "Config", "CutieAPI", "Domain", "FeedPolicy", "Platform", "Store",
                "Runtime",
                .logging,
            ],
            settings: [.defaultIsolation(MainActor.self)]),
        .module(
            "Indicator",
            [
                "Reasons",
                "ControlAPI", "ControlClient", "CutieAPI", "Localization", "MessageText",
                "NotificationPolicy",
                "Platform", "Runtime", "Tray",
            ],
            settings: [.defaultIsolation(MainActor.self)]),
        .module(
            "Notifications",
            [
                "Reasons",
                "NotificationPolicy", "Config", "CutieAPI", "Domain", "HTTP", "FeedPolicy", "Localization",
                "MessageText",
                "EventLog", "Platform", "Store", .logging,
            ],
            settings: [.defaultIsolation(MainActor.self)]),
        .module(
            "Services",
            [
                "Reasons",
                "Access", "Accounts", "Config", "CutieAPI", "Domain", "EventLog", "FeedPolicy", "Identity",
                "Notifications", "OAuth", "Platform", "Runtime", "Store", "TextSearch", .logging,
            ],
            settings: [.defaultIsolation(MainActor.self)]),
        .module("Setup", ["Reasons", "Config", "ControlAPI", "ControlClient", "CutieAPI", "Platform"]),
        .module(
            "Window",
            [
                "Reasons",
                "Config", "ControlAPI", "ControlClient", "CutieAPI", "Domain", "Gtk", "InboxModel",
                "Libadwaita",
                "Localization", "MessageText", "Platform", "QR", "Setup", "Runtime",
            ],
            // These files are compiled into icons.gresource, so the target does not contain them.
            exclude: [
                "Icons/icons.gresource.xml",
                "Icons/conversation-symbolic-rtl.svg", "Icons/conversation-symbolic.svg",
                "Icons/document-edit-symbolic-rtl.svg", "Icons/document-edit-symbolic.svg",
                "Icons/send-message-symbolic-rtl.svg", "Icons/send-message-symbolic.svg",
            ],
            resources: [
                .embedInCode("Form/form.ui"), .embedInCode("List/list.ui"), .embedInCode("List/row.ui"),
                .embedInCode("Pages/Apps/apps.ui"), .embedInCode("Pages/Canned/canned.ui"),
                .embedInCode("Pages/Home/home.ui"),
                .embedInCode("Pages/Statistics/statistics.ui"),
                .embedInCode("Pages/Devices/devices.ui"), .embedInCode("Pages/HandOver/hand-over.ui"),
                .embedInCode("Pages/Outbox/outbox-row.ui"), .embedInCode("Pages/Outbox/outbox.ui"),
                .embedInCode("Pages/page.ui"),
                .embedInCode("Pages/Pause/pause.ui"), .embedInCode("Pages/Questions/question.ui"),
                .embedInCode("Pages/Questions/questions.ui"), .embedInCode("Pages/Settings/settings.ui"),
                .embedInCode("Pages/Setup/setup.ui"), .embedInCode("Pages/SignIn/sign-in.ui"),
                .embedInCode("Pages/code.ui"),
                .embedInCode("Pages/shortcuts.ui"), .embedInCode("Thread/composer.ui"),
                .embedInCode("Thread/staff.ui"), .embedInCode("Thread/thread.ui"), .embedInCode("banner.ui"),
                .embedInCode("inbox.ui"), .embedInCode("Icons/icons.gresource"),
                .embedInCode("style.css"), .embedInCode("style-hc.css"),
            ],
            settings: [.defaultIsolation(MainActor.self)]),
    ])

let programs = layer(
    "Sources/Programs",
    [
        // The example for app developers. It also exists as a separate package, which developers can copy. It
        // is not installed.
        .program("Answers", ["CutiE"], path: "Examples/Swift/Sources/Answers"),
        .program(
            "cutied",
            [
                "CommandWords", "Config", "Control", "Localization", "Platform", "Runtime", .argumentParser,
            ]),
        .program(
            "cutied-daemon",
            [
                "ControlClient", "Daemon", "Desktop", "Doctor", "Identity", "Localization",
                "NotificationPolicy", "Platform",
                "Runtime", .argumentParser,
            ]),
        .program(
            "cutied-indicator",
            [
                "ControlAPI", "ControlClient", "Indicator", "Localization", "Platform", "Runtime",
                .argumentParser,
            ]),
        .program(
            "cutied-inbox",
            [
                "CommandWords", "ControlClient", "Gtk", "Localization", "Platform", "Runtime", "Window",
                .argumentParser,
            ]),
    ])

// Development tools. They are part of this package because they use modules that are not products.
let tools: [Target] = [
    // A program for external conformance suites that test Varlink and Server-Sent Events.
    .program(
        "conformance", ["EventSource", "HTTP", "JSONReading", "Runtime", "Varlink", "VarlinkSocket"],
        path: "Tests/Conformance"),
    // Simulates how a fleet of daemons reconnects, for `make bench`.
    .program("herd", ["FeedPolicy"], path: "Benchmarks/Herd"),
]

let tests: [Target] = [
    .module(
        "Fuzzing",
        ["Reasons", "Config", "CutieAPI", "EventSource", "JSONReading", "OAuth", "RSD2", "Varlink"],
        path: "Tests/Fuzzing"),
    .module("GtkSupport", ["Gtk", "Libadwaita", "TestSupport"], path: "Tests/GtkSupport"),
    .module(
        "TestSupport", ["AccessAPI", "CLinux", "ControlAPI", "JSONReading", "Varlink", "VarlinkSocket"],
        path: "Tests/Support"),
    // Programs that use the SDK, compiled in both language modes and without the settings of this package.
    // The folder of the second target contains links to the files of the first.
    .executableTarget(
        name: "SDKPrograms", dependencies: ["CutiE", "CutiELink"], path: "Tests/SDKPrograms",
        swiftSettings: strict + [.swiftLanguageMode(.v6)]),
    .executableTarget(
        name: "SDKProgramsFive", dependencies: ["CutiE", "CutiELink"], path: "Tests/SDKProgramsFive",
        swiftSettings: strict + [.swiftLanguageMode(.v5)]),
    .tests("AccessAPI", ["TestSupport", "Varlink"]),
    .tests("AccessServer", ["Reasons", "AccessAPI", "Domain", "TestSupport", "Varlink", "VarlinkSocket"]),
    .tests("AttestationFormat", ["CutieAPI"]),
    .tests("NotificationPolicy", ["Config", "CutieAPI", "FeedPolicy", "Localization"]),
    .tests("Config", ["Reasons", "CutieAPI", "TestSupport"]),
    .tests(
        "Control",
        [
            "Reasons",
            "CommandWords", "ControlAPI", "ControlClient", "CutieAPI", "Localization", "NotificationPolicy",
            "Platform",
            "Setup", "TestSupport",
            "Varlink",
            "VarlinkSocket", .argumentParser,
        ]),
    .tests("ControlClient", ["Reasons", "ControlAPI", "TestSupport", "Runtime", "Varlink", "VarlinkSocket"]),
    .tests("CutiE", ["AccessAPI", "TestSupport", "Varlink", "VarlinkSocket"]),
    .tests("CutieAPI", ["Reasons"]),
    .tests(
        "Daemon",
        [
            "Reasons",
            "Access", "AccessAPI", "AccessServer", "AttestationFormat", "NotificationPolicy", "Config",
            "ControlAPI",
            "CutieAPI", "Desktop", "Domain", "HTTP",
            "Identity",
            "FeedPolicy", "Localization", "OAuth", "Platform", "Store", "TestSupport", "TextSearch",
            "Runtime",
            "Varlink", "VarlinkSocket",
            .logging,
        ]),
    .tests("Desktop", ["NotificationPolicy", "CNotify", "TestSupport"]),
    .tests(
        "Doctor",
        [
            "Reasons",
            "NotificationPolicy", "Config", "Control", "ControlAPI", "CutieAPI", "Desktop", "HTTP",
            "Platform",
            "TestSupport",
            "Varlink", "VarlinkSocket", .argumentParser,
        ]),
    .tests("EventSource", ["TestSupport"]),
    .tests("Fuzzing"),
    .tests("Gtk", ["GtkSupport", "Libadwaita", "TestSupport", "Runtime"]),
    .tests("HTTP", ["Reasons", "Config", "CutieAPI", "TestSupport"]),
    .tests("Identity", ["Reasons", "AttestationFormat", "Config", "CutieAPI", "TestSupport"]),
    .tests("FeedPolicy", ["Reasons", "Config", "CutieAPI", "herd"]),
    .tests("Indicator", ["ControlAPI", "CutieAPI", "NotificationPolicy", "Tray"]),
    .tests(
        "InboxModel",
        ["Reasons", "ControlAPI", "Domain", "Localization", "MessageText", "TestSupport", "TextSearch"]),
    .tests("Localization", ["Reasons", "TestSupport"]),
    .tests("OAuth", ["Reasons", "CutieAPI", "TestSupport"]),
    .tests("QR", ["TestSupport"]),
    .tests("Reasons"),
    .tests("RSD2", ["JSONReading", "Reasons", "OAuth", "TestSupport"]),
    .tests(
        "Setup",
        [
            "Reasons",
            "Config", "ControlAPI", "ControlClient", "CutieAPI", "Platform", "TestSupport", "Varlink",
            "VarlinkSocket",
        ]),
    .tests(
        "Store", ["Reasons", "NotificationPolicy", "CSQLite", "CutieAPI", "TestSupport", "TextSearch"],
        exclude: ["Schemas"]),
    .tests("Platform", ["CLinux", "TestSupport"]),
    .tests("Systemd", ["Platform", "TestSupport", .logging]),
    .tests("TextSearch"),
    .tests("Runtime", ["CLinux", "TestSupport"]),
    .tests("Varlink", ["JSONReading", "TestSupport"]),
    .tests("VarlinkSocket", ["CLinux", "TestSupport", "Runtime", "Varlink"]),
    .tests(
        "Window",
        [
            "Config", "ControlAPI", "ControlClient", "CutieAPI", "Gtk", "GtkSupport", "InboxModel",
            "Libadwaita", "MessageText", "Platform",
            "Setup", "TestSupport", "VarlinkSocket",
        ], resources: [.copy("Resources/gtk-icons.txt")]),
    .tests("YAML"),
    .testTarget(
        name: "EndToEndTests", dependencies: ["SDKPrograms", "SDKProgramsFive", "TestSupport"],
        swiftSettings: rules + strict),
    .testTarget(
        name: "ExampleTests", dependencies: ["AccessAPI", "Answers", "TestSupport"], exclude: ["Resources"],
        swiftSettings: rules + strict),
]

let package = Package(
    name: "cutied",
    products: [
        .library(name: "CutiE", targets: ["CutiE"]),
        .library(name: "CutiELink", targets: ["CutiELink"]),
        .executable(name: "cutied", targets: ["cutied"]),
        .executable(name: "cutied-daemon", targets: ["cutied-daemon"]),
        .executable(name: "cutied-inbox", targets: ["cutied-inbox"]),
        .executable(name: "cutied-indicator", targets: ["cutied-indicator"]),
        // Only the package in `Sandbox` uses this library.
        .library(
            name: "SandboxSupport", targets: ["AttestationFormat", "CommandWords", "CutieAPI", "Platform"]),
        .library(name: "TestSupport", targets: ["TestSupport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: c + core + adapters + features + programs + tools + tests,
    swiftLanguageModes: [.v6]
)

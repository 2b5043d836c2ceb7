// swift-tools-version: 6.2
import PackageDescription

// The same settings as in the root package.
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdTLS = product(name: "HummingbirdTLS", package: "hummingbird")
    static let logging = product(name: "Logging", package: "swift-log")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    /// The modules of the root package that the sandbox shares with the daemon.
    static let sandboxSupport = product(name: "SandboxSupport", package: "cutied")
    static let serviceLifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let testSupport = product(name: "TestSupport", package: "cutied")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
}

// The sandbox is a separate package, because app developers and packagers of the daemon do not need the
// dependencies of the sandbox.
let package = Package(
    name: "cutie-sandbox",
    products: [.executable(name: "cutie-sandbox", targets: ["cutie-sandbox"])],
    dependencies: [
        .package(name: "cutied", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "Sandbox",
            dependencies: [
                .crypto, .cryptoExtras, .grdb, .httpTypes, .hummingbird, .hummingbirdTLS, .logging,
                .nioCore, .sandboxSupport, .serviceLifecycle, .unixSignals,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "cutie-sandbox", dependencies: ["Sandbox", .argumentParser, .sandboxSupport],
            swiftSettings: settings),
        .testTarget(
            name: "SandboxTests",
            dependencies: ["Sandbox", .crypto, .cryptoExtras, .sandboxSupport, .testSupport],
            resources: [.copy("Resources/authlib-client.py"), .copy("Resources/authlib-service.py")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Answers",
    dependencies: [.package(name: "cutied", path: "../..")],
    targets: [
        .executableTarget(name: "Answers", dependencies: [.product(name: "CutiE", package: "cutied")])
    ]
)

import Config
import CutieAPI
import Glibc
import InboxModel
import Platform

/// The parts of the daemon's configuration that the window needs.
struct WindowConfiguration {
    private let configuration: Configuration?
    /// Whether the configuration contains an account, or the daemon has run before and may have accounts of
    /// apps. Also `true` if the file is unreadable, because the daemon reports that error.
    let isConfigured: Bool

    /// Whether Enter sends a reply.
    var enterSends: Bool { configuration?.window.enterSends ?? false }

    init(environment: [String: String]) {
        let paths = Paths(environment: environment)
        let file = paths.existingConfigurationFile()
        let hasRun = access(paths.stateDirectory + "/cutied.db", F_OK) == 0
        do {
            let bytes = try file.map { try SmallFile.read($0, sizeLimit: Configuration.sizeLimit) } ?? []
            let read = try Configuration(bytes: bytes, file: file ?? "", environment: environment)
            (configuration, isConfigured) = (read, hasRun || !read.accounts.isEmpty)
        } catch {
            (configuration, isConfigured) = (nil, true)
        }
    }

    /// Returns the device facts that a new conversation of `account` contains. `account`: `nil` for the only
    /// account.
    func collectDeviceFacts(for account: String?) -> [InboxModel.DeviceFact] {
        let found = configuration?.accounts.first { account == nil || $0.name == account }
        let fields = found?.deviceContext.fields ?? []
        return DeviceContext.Field.allCases.filter(fields.contains).map(InboxModel.DeviceFact.init)
    }
}

extension InboxModel.DeviceFact {
    fileprivate init(_ field: DeviceContext.Field) {
        self =
            switch field {
            case .language: .language
            case .country: .country
            case .appVersion: .appVersion
            case .osVersion: .systemVersion
            case .deviceModel: .deviceModel
            }
    }
}

/// A device fact that an app may send with each new conversation.
public enum DeviceContextField: String, CaseIterable, Sendable {
    /// The language of the desktop session.
    case language
    /// The country of the desktop session.
    case country
    /// The version that ``CutiE/setAppMetadata(version:build:)-method`` sets.
    case appVersion
    /// The name and version of the Linux distribution.
    case osVersion
    /// The product name in the firmware or in the device tree, for example `ThinkPad X1`.
    case deviceModel
}

/// The device facts that an app sends with each new conversation.
///
/// The question of `configure` lists these facts, except for the version of the app. Facts that the user was
/// not asked about are not sent.
public enum DeviceContextConfig: Sendable {
    /// No facts.
    case none
    /// Only the version of the app.
    case minimal
    /// Language, country, and the versions of the app and the system.
    case standard
    /// All facts.
    case all
    /// The facts in the set.
    case custom(Set<DeviceContextField>)

    /// The facts that this choice includes.
    public var enabledFields: Set<DeviceContextField> {
        switch self {
        case .none: []
        case .minimal: [.appVersion]
        case .standard: [.language, .country, .appVersion, .osVersion]
        case .all: Set(DeviceContextField.allCases)
        case .custom(let fields): fields
        }
    }
}

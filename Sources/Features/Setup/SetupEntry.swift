public import Config
public import CutieAPI
public import Reasons

/// The input for the setup: an App ID, or a `cutie://` link that contains an App ID.
public struct SetupEntry: Hashable, Sendable {
    public let appID: String
    /// The address in the link; `nil` if there is none.
    public let address: APIAddress?

    /// Parses the typed or pasted text. Ignores surrounding white space. Throws if the text is neither an App
    /// ID nor a setup link.
    public init(_ input: String) throws(InvalidInput) {
        let words = input.split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ")
        guard !text.isEmpty else { throw .appID(Reason(.appIDEmpty)) }
        guard !text.contains("://") else {
            let link: DeepLink
            do throws(DeepLink.ParseError) { link = try DeepLink(text) } catch { throw .link(error) }
            guard case .setup(let appID, let address) = link else {
                if case .app = link { throw .linkOfApp }
                throw .linkOfConversation
            }
            try Self.checkAppID(appID)
            (self.appID, self.address) = (appID, address)
            return
        }
        try Self.checkAppID(text)
        (appID, address) = (text, nil)
    }

    public static func parseAddress(_ input: String) throws(InvalidInput) -> APIAddress {
        let text = input.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        do throws(APIAddress.ParseError) { return try APIAddress(text) } catch {
            throw .address(error)
        }
    }

    private static func checkAppID(_ appID: String) throws(InvalidInput) {
        var alone = ConfigurationText(existing: nil, file: "")
        do throws(ConfigurationError) { try alone.setDefaultAccount(appID: appID, apiURL: nil) } catch {
            throw .appID(Reason(.appIDInvalid))
        }
    }

    /// The reason why the input is invalid.
    public enum InvalidInput: Error, Hashable, Sendable {
        /// The App ID is invalid, for the given reason.
        case appID(Reason)
        case address(APIAddress.ParseError)
        case link(DeepLink.ParseError)
        /// The link hands over an account and contains no App ID.
        case linkOfApp
        case linkOfConversation
    }
}

extension SetupEntry.InvalidInput: CustomStringConvertible {
    public var description: String {
        switch self {
        case .appID(let reason): reason.english
        case .address(let problem): "\(problem)"
        case .link(let problem): "\(problem)"
        case .linkOfApp:
            "this link adds an app and needs no App ID; open it with `cutied open`"
        case .linkOfConversation: "this link opens a conversation; enter the App ID first"
        }
    }
}

extension ConfigurationFile {
    /// Returns the account of the top-level keys, or the account with the default name; `nil` if there is
    /// none.
    public func findDefaultAccount() throws(SetupFailure) -> AccountConfiguration? {
        try readConfiguration().accounts.first { $0.name == AccountConfiguration.defaultName }
    }

    /// Returns the configuration in the file, without the settings of the environment.
    public func readConfiguration() throws(SetupFailure) -> Configuration {
        let text = try readText()
        do throws(ConfigurationError) { return try text.makeConfiguration() } catch { throw .refused(error) }
    }

    /// Sets the App ID and the API address of the account `default`. `address`: `nil` leaves the address
    /// unchanged.
    @discardableResult
    public func setAppID(_ appID: String, apiAddress address: APIAddress?) throws(SetupFailure)
        -> WrittenChange
    {
        try edit { text throws(ConfigurationError) in
            try text.setDefaultAccount(appID: appID, apiURL: address?.description)
        }
    }

    /// Adds an account.
    ///
    /// - Parameters:
    ///   - address: the API address.
    ///   - takenNames: the names of existing accounts that are not in the file.
    /// - Returns: the change; `nil` if the account already exists.
    public func addAccount(
        _ account: NewAccount, apiAddress address: APIAddress, avoidingNames takenNames: Set<String> = []
    ) throws(SetupFailure) -> WrittenChange? {
        let url = address == .production ? nil : address.description
        var name: String?
        let change = try edit { text throws(ConfigurationError) in
            name = try text.addAccount(account, apiURL: url, takenNames: takenNames)
        }
        return name == nil ? nil : change
    }

    /// Adds a support account and returns its name. `address`: `nil` keeps the existing address or, if there
    /// is none, uses the hosted service.
    @discardableResult
    public func addOrUpdateStaffAccount(apiAddress address: APIAddress?) throws(SetupFailure) -> String {
        var name = ""
        try edit { text throws(ConfigurationError) in
            name = try text.addOrUpdateStaffAccount(apiURL: address?.description)
        }
        return name
    }
}

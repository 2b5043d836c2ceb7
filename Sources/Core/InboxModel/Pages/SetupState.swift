public import Localization

/// The page that sets up an account, as a state machine.
public struct SetupState: Sendable {
    /// The API to use: one of the known APIs, or another address.
    public enum APILocation: Hashable, Sendable, CaseIterable {
        case hosted, hostedSandbox, other
    }

    public enum Field: Hashable, Sendable {
        case appID, address
    }

    public enum Input: Hashable, Sendable {
        /// The configuration file contains these values.
        case found(appID: String?, place: APILocation, address: String)
        /// The user typed or pasted text into the App ID field.
        case appID(String)
        /// The pasted text is a setup link with these values. `place`: `nil` if the link contains no address.
        case link(appID: String, place: APILocation?, address: String)
        case place(APILocation)
        case address(String)
        /// Whether to set up a staff account.
        case staff(Bool)
        case begin
        /// The value of a field is invalid. The second value is the error message.
        case invalid(Field, String)
        /// Writing the configuration failed. The value is the error message.
        case failed(String)
        /// The configuration was written; the daemon is loading it.
        case begun
        /// The text is a link from an app. The daemon now asks the user whether to add the app's account.
        case asked
    }

    public enum Action: Hashable, Sendable {
        /// Writes the configuration and starts the daemon.
        ///
        /// - Parameters:
        ///   - appID: `nil` for a staff account.
        ///   - address: the address of the API if `place` is `other`; otherwise empty.
        case begin(appID: String?, place: APILocation, address: String)
    }

    public enum Phase: Hashable, Sendable {
        case asking
        case working
        /// The setup is complete. The inbox opens as soon as the daemon responds.
        case done
    }

    public private(set) var phase = Phase.asking
    public private(set) var appID = ""
    public private(set) var place = APILocation.hosted
    public private(set) var address = ""
    public private(set) var isStaff = false
    /// The error message for each field, shown next to the field.
    public private(set) var problems: [Field: String] = [:]
    /// An error message that belongs to no field; `nil` if there is none.
    public private(set) var failure: String?
    /// Incremented when a value changes without input from the user, so that the view reloads the fields.
    public private(set) var revision = 0
    /// The App ID and the address from the configuration file.
    private var found = ["", ""]

    public init() {}

    public var canSubmit: Bool {
        guard phase == .asking else { return false }
        return isLinkOfApp
            || (isStaff || !appID.allSatisfy(\.isWhitespace))
                && (place != .other || !address.allSatisfy(\.isWhitespace))
    }

    /// Whether the text is a link that hands over the account of an app. The user need not choose an API,
    /// because the link contains the address of the API.
    public var isLinkOfApp: Bool {
        !isStaff && appID.drop(while: \.isWhitespace).hasPrefix("cutie://link")
    }

    /// Whether closing the page would lose text that the user typed.
    public var hasUnsavedText: Bool {
        phase == .asking
            && zip([appID, address], found).contains { $0 != $1 && !$0.allSatisfy(\.isWhitespace) }
    }

    /// The role of the user in the new account.
    public var role: UserRole { isStaff ? .staff : .user }

    /// Applies one input and returns the resulting actions. After the user starts the setup, edits have no
    /// effect.
    public mutating func handle(_ input: Input) -> [Action] {
        switch (phase, input) {
        case (.asking, _): return handleFormInput(input)
        case (.working, .invalid(let field, let sentence)):
            (phase, problems[field]) = (.asking, sentence)
        case (.working, .failed(let sentence)): (phase, failure) = (.asking, sentence)
        case (.working, .begun): phase = .done
        case (.working, .asked):
            phase = .asking
            fillIn(appID: found[0], location: place, address: address)
        case (.working, _), (.done, _): break
        }
        return []
    }

    private mutating func handleFormInput(_ input: Input) -> [Action] {
        switch input {
        case .found(let appID, let place, let address):
            // Do not replace text that the user typed before the file was read.
            found = [appID ?? "", address]
            if self.appID.isEmpty, let appID { fillIn(appID: appID, location: place, address: address) }
        case .appID(let text):
            guard text != appID else { break }
            (appID, problems[.appID], failure) = (text, nil, nil)
        case .link(let appID, let place, let address):
            fillIn(
                appID: appID, location: place ?? self.place, address: place == nil ? self.address : address)
        case .place(let place): (self.place, problems[.address], failure) = (place, nil, nil)
        case .address(let text):
            guard text != address else { break }
            (address, problems[.address], failure) = (text, nil, nil)
        case .begin:
            guard canSubmit else { break }
            (phase, problems, failure) = (.working, [:], nil)
            let address = place == .other ? address : ""
            return [.begin(appID: isStaff ? nil : appID, place: place, address: address)]
        case .staff(let isStaff):
            (self.isStaff, problems, failure) = (isStaff, [:], nil)
        case .invalid(let field, let sentence): problems[field] = sentence
        case .failed, .begun, .asked: break
        }
        return []
    }

    private mutating func fillIn(appID: String, location: APILocation, address: String) {
        (self.appID, self.place, self.address, isStaff) = (appID, location, address, false)
        (problems, failure) = ([:], nil)
        revision += 1
    }
}

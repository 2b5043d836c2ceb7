public import Localization

/// Setup of an account, as a state machine: the first one at the first start, or one more.
public struct SetupState: Sendable {
    /// Where the API answers.
    public enum Place: Hashable, Sendable, CaseIterable {
        case hosted, hostedSandbox, other
    }

    public enum Field: Hashable, Sendable {
        case appID, address
    }

    public enum Input: Hashable, Sendable {
        /// The file says this already.
        case found(appID: String?, place: Place, address: String)
        /// What is typed or pasted where the App ID is asked for.
        case appID(String)
        /// That was a link, which says this; `place` nil: nothing about the address.
        case link(appID: String, place: Place?, address: String)
        case place(Place)
        case address(String)
        /// Whether the person answers as support staff.
        case staff(Bool)
        case begin
        /// What was given cannot be used; a sentence.
        case wrong(Field, String)
        /// Nothing was written; a sentence.
        case failed(String)
        /// It is written and the daemon takes it up.
        case begun
    }

    public enum Action: Hashable, Sendable {
        /// Write it and start the daemon. `appID` is `nil` for support staff; `address` is empty for places with a known
        /// address.
        case begin(appID: String?, place: Place, address: String)
    }

    public enum Phase: Hashable, Sendable {
        case asking
        case working
        /// The inbox comes as soon as the daemon answers.
        case done
    }

    public private(set) var phase = Phase.asking
    public private(set) var appID = ""
    public private(set) var place = Place.hosted
    public private(set) var address = ""
    public private(set) var isStaff = false
    /// Sentences for beside the fields.
    public private(set) var problems: [Field: String] = [:]
    /// What is wrong with no field.
    public private(set) var failure: String?
    /// Counts what was not typed: a view then shows the texts anew.
    public private(set) var revision = 0

    public init() {}

    public var canBegin: Bool {
        phase == .asking && (isStaff || !appID.allSatisfy(\.isWhitespace))
            && (place != .other || !address.allSatisfy(\.isWhitespace))
    }

    /// The person that this setup is for.
    public var reader: Reader { isStaff ? .staff : .user }

    /// What to do about `input`. Nothing is asked any more once it is being done.
    public mutating func next(_ input: Input) -> [Action] {
        switch (phase, input) {
        case (.asking, _): return ask(input)
        case (.working, .wrong(let field, let sentence)):
            (phase, problems[field]) = (.asking, sentence)
        case (.working, .failed(let sentence)): (phase, failure) = (.asking, sentence)
        case (.working, .begun): phase = .done
        case (.working, _), (.done, _): break
        }
        return []
    }

    private mutating func ask(_ input: Input) -> [Action] {
        switch input {
        case .found(let appID, let place, let address):
            // What the person typed meanwhile goes before.
            if self.appID.isEmpty, let appID { fill(appID, place, address) }
        case .appID(let text):
            guard text != appID else { break }
            (appID, problems[.appID], failure) = (text, nil, nil)
        case .link(let appID, let place, let address):
            fill(appID, place ?? self.place, place == nil ? self.address : address)
        case .place(let place): (self.place, problems[.address], failure) = (place, nil, nil)
        case .address(let text):
            guard text != address else { break }
            (address, problems[.address], failure) = (text, nil, nil)
        case .begin:
            guard canBegin else { break }
            (phase, problems, failure) = (.working, [:], nil)
            let address = place == .other ? address : ""
            return [.begin(appID: isStaff ? nil : appID, place: place, address: address)]
        case .staff(let isStaff):
            (self.isStaff, problems, failure) = (isStaff, [:], nil)
        case .wrong(let field, let sentence): problems[field] = sentence
        case .failed, .begun: break
        }
        return []
    }

    private mutating func fill(_ appID: String, _ place: Place, _ address: String) {
        (self.appID, self.place, self.address, isStaff) = (appID, place, address, false)
        (problems, failure) = ([:], nil)
        revision += 1
    }
}

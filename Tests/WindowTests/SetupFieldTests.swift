import Config
import ControlClient
import CutieAPI
import Foundation
import InboxModel
import Platform
import Reasons
import Setup
import TestSupport
import Testing

@testable import Window

/// Tests of the setup form with a real configuration file and without widgets. The tests cover all
/// combinations of filled, blank and invalid fields.
@Suite struct `The fields of the setup form` {
    @Test(arguments: [Reason.Code.configNotUTF8, .configTooLarge])
    func `An error about the whole configuration file names the file`(code: Reason.Code) {
        let failure = SetupFailure.refused(ConfigurationError(file: "/config.yaml", problem: Reason(code)))
        #expect(failure.sentence.hasPrefix("/config.yaml: is "), "\(failure.sentence)")
    }

    private struct Fields: CustomStringConvertible {
        var isStaff: Bool
        var appID: String
        var place: SetupState.APILocation
        var address: String
        var isAddition: Bool

        var description: String {
            "staff \(isStaff), App ID “\(appID)”, \(place) “\(address)”, addition \(isAddition)"
        }

        static let all = [false, true].flatMap { isAddition in
            [false, true].flatMap { isStaff in
                ["", " ", "app_1", " app_1 ", "a b"].flatMap { appID in
                    SetupState.APILocation.allCases.flatMap { place in
                        ["", " ", "http://127.0.0.1:9", "nonsense"].map { address in
                            Fields(
                                isStaff: isStaff, appID: appID, place: place, address: address,
                                isAddition: isAddition)
                        }
                    }
                }
            }
        }

        /// Whether a required field is empty, in which case the start button is insensitive.
        var isIncomplete: Bool {
            let isEmpty: (String) -> Bool = { $0.allSatisfy { $0 == " " } }
            return (!isStaff && isEmpty(appID)) || (place == .other && isEmpty(address))
        }

        var wrongField: SetupState.Field? {
            if !isStaff, appID == "a b" { return .appID }
            return place == .other && address == "nonsense" ? .address : nil
        }

        var expectedAddress: APIAddress {
            get throws {
                switch place {
                case .hosted: .production
                case .hostedSandbox: .hostedSandbox
                case .other: try APIAddress(address)
                }
            }
        }
    }

    @Test func `Each combination of field values is written unchanged, or the error names the invalid field`()
        async throws
    {
        for fields in Fields.all {
            let directory = try TemporaryDirectory()
            let file = ConfigurationFile(path: directory.file("config.yaml"))
            if fields.isAddition { try file.setAppID("app_before", apiAddress: nil) }
            var state = SetupState()
            for input: SetupState.Input in [
                .appID(fields.appID), .place(fields.place), .address(fields.address), .staff(fields.isStaff),
            ] { _ = state.handle(input) }
            let actions = state.handle(.begin)
            #expect(actions.isEmpty == fields.isIncomplete, "\(fields)")
            guard case .begin(let appID, let place, let address)? = actions.first else { continue }
            let ending = await Self.setup(file, fields, directory).setUpAccount(
                for: .init(appID: appID, place: place, address: address, taken: []))
            if case .input(let input) = ending { _ = state.handle(input) }
            #expect(Set(state.problems.keys) == Set([fields.wrongField].compactMap(\.self)), "\(fields)")
            guard fields.wrongField == nil else { continue }
            let added = try #require(
                file.readConfiguration().accounts.first { $0.appID != "app_before" }, "\(fields)")
            #expect(added.appID == (fields.isStaff ? "" : "app_1"), "\(fields)")
            #expect(try added.apiURL == fields.expectedAddress, "\(fields)")
            #expect(try file.readConfiguration().accounts.count == (fields.isAddition ? 2 : 1), "\(fields)")
        }
    }

    /// Returns a setup without a running daemon and without a user manager.
    private static func setup(
        _ file: ConfigurationFile, _ fields: Fields, _ directory: TemporaryDirectory
    ) -> AccountSetup {
        AccountSetup(
            file: file,
            service: DaemonService(
                daemon: DaemonClient(path: directory.file("no.sock"), timeout: .milliseconds(1)),
                units: UserUnits(environment: ["XDG_RUNTIME_DIR": directory.path])),
            isAddition: fields.isAddition)
    }
}

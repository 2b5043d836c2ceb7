package import Accounts
import CutieAPI
import Domain
import Reasons

/// Changes the ID and the name of the user that the API receives.
package struct ProfileService {
    private let accounts: AccountRegistry

    package init(accounts: AccountRegistry) { self.accounts = accounts }

    /// Changes the values that are not `nil`. A blank value removes the stored value. Returns the account.
    package func update(id: String?, name: String?, account: String?) throws -> AccountUnit {
        let unit = try accounts.findSingleAccount(named: account)
        guard id != nil || name != nil else {
            throw ServiceError.invalidArgument(
                parameter: "userId", reason: Reason(.neitherIDNorName))
        }
        try unit.profile.update(
            id: try checkedText(id, parameter: "userId"), name: try checkedText(name, parameter: "userName"))
        return unit
    }

    /// Sets both values. If a value is `nil`, the configured value applies again.
    package func replace(id: String?, name: String?, account: String?) throws {
        let unit = try accounts.findSingleAccount(named: account)
        let (id, name) = (
            try checkedText(id, parameter: "userId"), try checkedText(name, parameter: "userName")
        )
        try unit.profile.replace(id: id, name: name)
    }

    /// Removes both stored values, so that the configured values apply again. Returns the account.
    package func clear(account: String?) throws -> AccountUnit {
        let unit = try accounts.findSingleAccount(named: account)
        try unit.profile.clear()
        return unit
    }

    /// Returns the value to store; empty if `text` is blank, `nil` if `text` is `nil`. Throws if the text is
    /// invalid.
    private func checkedText(_ text: String?, parameter: String) throws -> String? {
        guard let text else { return nil }
        let value = UserText.normalizedValue(of: text)
        if let problem = UserText.findProblem(in: value) {
            throw ServiceError.invalidArgument(parameter: parameter, reason: problem.reason)
        }
        guard value.isEmpty || DisplayName.isReadable(value) else {
            throw ServiceError.invalidArgument(parameter: parameter, reason: DisplayName.limits)
        }
        return value
    }
}

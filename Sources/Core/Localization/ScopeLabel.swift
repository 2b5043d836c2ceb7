/// Returns descriptions of the permissions that OAuth scopes grant. Omits unknown scopes and scopes
/// that concern only the protocol.
public func scopeLabels(_ scopes: [String]) -> [String] { scopes.compactMap(scopeLabel) }

private func scopeLabel(_ scope: String) -> String? {
    switch scope {
    case "conversations:read": localized("read conversations")
    case "conversations:write": localized("change conversations")
    case "messages:write": localized("send messages")
    case "tags:read": localized("read tags")
    case "tags:write": localized("change tags")
    case "analytics:read": localized("read statistics")
    case "canned_responses:read": localized("use canned responses")
    case "canned_responses:write": localized("change canned responses")
    case "profile": localized("read your name")
    case "email": localized("read your email address")
    default: nil
    }
}

/// Returns the display name of a category, a status or a priority in the output of a command; an unknown
/// value is returned unchanged.
public func fieldValueLabel(_ value: String) -> String {
    switch value {
    case "bug": localized("bug")
    case "feature": localized("feature")
    case "question": localized("question")
    case "feedback": localized("feedback")
    case "other": localized("other")
    case "open": localized("open")
    case "in_progress": localized("in progress")
    case "waiting_user": localized("waiting for the user")
    case "waiting_admin": localized("waiting for support")
    case "resolved": localized("resolved")
    case "closed": localized("closed")
    case "low": localized("low")
    case "normal": localized("normal")
    case "high": localized("high")
    case "urgent": localized("urgent")
    default: value
    }
}

/// Returns the label of the window's field for a parameter of a call; `nil` if the window has no such
/// field.
public func fieldLabel(forParameter name: String) -> String? {
    parameters[name]?.label.map { Language.current.translation(of: $0, context: nil) }
}

/// Returns the option or argument of `cutied ctl` that sets a parameter of a call. An unknown name is
/// returned unchanged.
public func commandLineArgument(forParameter name: String) -> String { parameters[name]?.argument ?? name }

/// The user-visible names of the parameters of calls.
private let parameters: [String: (argument: String, label: StaticString?)] = [
    "account": ("--account", nil),
    "admin": ("assignee", nil),
    "allow": ("answer", nil),
    "apiUrl": ("API address", localizable("Address")),
    "app": ("app", nil),
    "category": ("--category", localizable("Category")),
    "content": ("message", localizable("Message")),
    "conversation": ("conversation", nil),
    "days": ("--days", nil),
    "device": ("device", nil),
    "hint": ("--hint", nil),
    "limit": ("--limit", nil),
    "link": ("link", nil),
    "linkToken": ("token", localizable("Code")),
    "message": ("message", localizable("Message")),
    "method": ("--method", nil),
    "name": ("--name", localizable("Name")),
    "outboxId": ("id", nil),
    "payload": ("payload", nil),
    "platform": ("--platform", nil),
    "priority": ("--priority", localizable("Priority")),
    "productId": ("--product", nil),
    "questionId": ("id", nil),
    "receiptData": ("--receipt", nil),
    "redirect": ("link", nil),
    "response": ("response", nil),
    "seconds": ("duration", nil),
    "service": ("name", nil),
    "services": ("--service", nil),
    "since": ("--since", nil),
    "status": ("--status", localizable("Status")),
    "tag": ("tag", localizable("Tag")),
    "title": ("--title", localizable("Title")),
    "token": ("token", localizable("Code")),
    "until": ("end", nil),
    "upTo": ("message", nil),
    "url": ("host", localizable("Address")),
    "userId": ("--id", localizable("Contact")),
    "userName": ("--name", localizable("Name")),
    "variables": ("name=value", nil),
    "view": ("--view", nil),
    "words": ("words", localizable("Search")),
]

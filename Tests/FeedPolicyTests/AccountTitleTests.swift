import FeedPolicy
import Testing

struct AccountTitleTests {
    private static func account(_ key: String, _ names: String..., fallback: String = "") -> AccountTitle {
        AccountTitle(key: key, appNames: names, fallback: fallback)
    }

    @Test(arguments: [
        ([account("default", "Notes")], ["default": "Notes"]),
        ([account("work", "Notes")], ["work": "Notes"]),
        // Without an app name, a key that the user chose takes precedence over the name of the service; a key
        // that setup generated does not.
        ([account("default", fallback: "Cuti-E")], ["default": "Cuti-E"]),
        ([account("work", fallback: "Cuti-E")], ["work": "work"]),
        ([account("staff-2", fallback: "help.example.org")], ["staff-2": "help.example.org"]),
        ([account("staff-room", fallback: "help.example.org")], ["staff-room": "staff-room"]),
        ([account("default")], ["default": "default"]),
        // A staff account of several apps.
        ([account("staff", "Notes", "Maps", fallback: "help.example.org")], ["staff": "help.example.org"]),
        ([account("staff", "Notes", " Notes\n", "")], ["staff": "Notes"]),
        // The key is added only to equal titles.
        (
            [account("default", "Notes"), account("staff", "Notes"), account("maps", "Maps")],
            ["default": "Notes (default)", "staff": "Notes (staff)", "maps": "Maps"]
        ),
        (
            [account("default", fallback: "Cuti-E"), account("app", fallback: "Cuti-E")],
            ["default": "Cuti-E (default)", "app": "Cuti-E (app)"]
        ),
        ([account("Notes"), account("other", "Notes")], ["Notes": "Notes", "other": "Notes (other)"]),
    ])
    func `The title of an account is the app's name, otherwise the account's key or the service's name`(
        accounts: [AccountTitle], titles: [String: String]
    ) {
        #expect(AccountTitle.titles(of: accounts) == titles)
    }
}

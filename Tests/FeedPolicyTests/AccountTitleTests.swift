import FeedPolicy
import Testing

struct AccountTitleTests {
    private static func account(_ key: String, _ names: String..., fallback: String = "") -> AccountTitle {
        AccountTitle(key: key, appNames: names, fallback: fallback)
    }

    @Test(arguments: [
        ([account("default", "Notes")], ["default": "Notes"]),
        ([account("work", "Notes")], ["work": "Notes"]),
        // Without an app name, the title is a key that the user chose, or else the name of the service. A key
        // that the setup generated is not used.
        ([account("default", fallback: "Cuti-E")], ["default": "Cuti-E"]),
        ([account("work", fallback: "Cuti-E")], ["work": "work"]),
        ([account("staff-2", fallback: "help.example.org")], ["staff-2": "help.example.org"]),
        ([account("staff-room", fallback: "help.example.org")], ["staff-room": "staff-room"]),
        ([account("default")], ["default": "default"]),
        // A staff account with several apps.
        ([account("staff", "Notes", "Maps", fallback: "help.example.org")], ["staff": "help.example.org"]),
        ([account("staff", "Notes", " Notes\n", "")], ["staff": "Notes"]),
        // The key is added to the title only if several accounts have the same title.
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
    func `The title of an account is the app's name, a key that the user chose, or the service's name`(
        accounts: [AccountTitle], titles: [String: String]
    ) {
        #expect(AccountTitle.titles(of: accounts) == titles)
    }
}

import Sandbox
import Testing

@Suite struct AccountRuleTests {
    @Test(arguments: [
        "kim@example.org", "a@b", "Kim.Possible+support@mail.example.co.uk", "!#$%&'*+/=?^_`{|}~-.x@host",
        "..@a-b.c", "0@1.2.3.4", "a@" + String(repeating: "b", count: 63) + ".c", "KIM@EXAMPLE.ORG",
    ])
    func `An email address that browsers accept is accepted`(text: String) {
        #expect(EmailAddress(text)?.text == text)
    }

    @Test(arguments: [
        "", "kim", "@example.org", "kim@", "kim@@example.org", "kim@example@org", "kim@example..org",
        "kim@.example.org", "kim@example.org.", "kim@-example.org", "kim@example-.org", "kim @example.org",
        "kim@exam ple.org", "kim@example.org ", "\"kim\"@example.org", "kim@[127.0.0.1]", "kïm@example.org",
        "kim@exämple.org", "kim@exa_mple.org", "kim@example.org\n", "kim(x)@example.org", "kim,x@example.org",
        "a@" + String(repeating: "b", count: 64), String(repeating: "a", count: 250) + "@b.cd",
    ])
    func `An invalid email address is rejected`(text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func `Email addresses are case-insensitive`() {
        #expect(EmailAddress("Kim@Example.ORG")?.key == "kim@example.org")
    }

    private static let known = ["Kim Possible", "kim.possible@example.org"]

    @Test(arguments: [
        "correct horse battery staple", "s36g6xekwhqayshtifwi", "Der Hund lacht 7 Mal", "пароль для всех нас",
        "xK9#mQ2$vL", "possible worlds of leibniz",
    ])
    func `A strong password is accepted`(password: String) {
        #expect(PasswordStrength.findWeakness(in: password, knownWords: Self.known) == nil)
    }

    @Test(arguments: [
        ("", "too short"), ("xK9#mQ2$v", "too short"), ("password123", "is a common one"),
        ("P@ssw0rd123", "is a common one"), ("abc1234567", "is a common one"),
        ("qwertzuiop", "is a common one"), ("aaaaaaaaaaaaaaaa", "repeats itself"),
        ("abababababababab", "repeats itself"), ("mnopqrstuvwxyz", "repeats itself"),
        ("99988877766655", "repeats itself"), ("kimpossible1", "others know"),
        ("P0ssible2026", "others know"),
        ("my-example-1", "others know"), (String(repeating: "long words ", count: 100), "too long"),
    ])
    func `A weak password is rejected with a reason`(password: String, reason: String) {
        let objection = PasswordStrength.findWeakness(in: password, knownWords: Self.known)
        #expect(objection?.contains(reason) == true, "\(objection ?? "taken")")
    }
}

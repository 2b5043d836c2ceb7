import Testing

@testable import Platform

@Suite struct SessionEnvironmentTests {
    @Test func `The variables of the user manager are parsed, except for quoted values`() {
        let listed = "LANG=de_DE.UTF-8\nLC_ALL=\nPS1=$'a\\nb'\nOPTIONS=a=b\n\nodd\n"
        #expect(
            SessionEnvironment.parseVariables(in: listed)
                == ["LANG": "de_DE.UTF-8", "LC_ALL": "", "OPTIONS": "a=b"])
    }

    @Test(arguments: [
        [:], ["SYSTEMD_EXEC_PID": "1"], ["SYSTEMD_EXEC_PID": "1", "XDG_RUNTIME_DIR": "/nowhere"],
    ])
    func `Only a process that the user manager started uses the manager's environment`(
        _ environment: [String: String]
    ) {
        #expect(SessionEnvironment(environment: environment) == nil)
    }
}

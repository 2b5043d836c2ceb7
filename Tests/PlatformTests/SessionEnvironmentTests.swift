import Testing

@testable import Platform

@Suite struct SessionEnvironmentTests {
    @Test func `The manager's variables are parsed, except for quoted values`() {
        let listed = "LANG=de_DE.UTF-8\nLC_ALL=\nPS1=$'a\\nb'\nOPTIONS=a=b\n\nodd\n"
        #expect(
            SessionEnvironment.parseVariables(listed: listed)
                == ["LANG": "de_DE.UTF-8", "LC_ALL": "", "OPTIONS": "a=b"])
    }

    @Test(arguments: [
        [:], ["SYSTEMD_EXEC_PID": "1"], ["SYSTEMD_EXEC_PID": "1", "XDG_RUNTIME_DIR": "/nowhere"],
    ])
    func `The manager's environment is used only by a process that the manager started`(
        _ environment: [String: String]
    ) {
        #expect(SessionEnvironment(environment: environment) == nil)
    }
}

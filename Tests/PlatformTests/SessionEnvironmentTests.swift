import Testing

@testable import Platform

@Suite struct SessionEnvironmentTests {
    @Test func `What the manager lists is read, but for values that a shell would have to unquote`() {
        let listed = "LANG=de_DE.UTF-8\nLC_ALL=\nPS1=$'a\\nb'\nOPTIONS=a=b\n\nodd\n"
        #expect(
            SessionEnvironment.variables(listed: listed)
                == ["LANG": "de_DE.UTF-8", "LC_ALL": "", "OPTIONS": "a=b"])
    }

    @Test(arguments: [
        [:], ["SYSTEMD_EXEC_PID": "1"], ["SYSTEMD_EXEC_PID": "1", "XDG_RUNTIME_DIR": "/nowhere"],
    ])
    func `Who was not started by a manager that answers has the session's environment already`(
        _ environment: [String: String]
    ) {
        #expect(SessionEnvironment(environment: environment) == nil)
    }
}

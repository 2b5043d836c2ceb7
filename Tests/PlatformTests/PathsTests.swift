import TestSupport
import Testing

@testable import Platform

struct PathsTests {
    private func paths(_ environment: [String: String], session: Bool = false) -> Paths {
        Paths(environment: environment, user: 1000) { session && $0 == "/run/user/1000" }
    }

    @Test func `The default paths of the XDG specification are used if no XDG variables are set`() throws {
        let paths = paths(["HOME": "/home/anna"], session: true)
        #expect(
            paths.configurationFiles == [
                "/home/anna/.config/cutied/config.yaml", "/etc/xdg/cutied/config.yaml",
            ])
        #expect(paths.stateDirectory == "/home/anna/.local/state/cutied")
        #expect(paths.cacheDirectory == "/home/anna/.cache/cutied")
        #expect(try paths.controlSocketPath() == "/run/user/1000/cutied/control.sock")
    }

    @Test func `The XDG variables set the base directories`() throws {
        let paths = paths([
            "HOME": "/home/anna", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k",
            "XDG_RUNTIME_DIR": "/r", "XDG_CONFIG_DIRS": "/a:relative:/b",
        ])
        #expect(
            paths.configurationFiles
                == ["/c/cutied/config.yaml", "/a/cutied/config.yaml", "/b/cutied/config.yaml"])
        #expect(paths.userConfigurationFile == "/c/cutied/config.yaml")
        #expect(paths.stateDirectory == "/s/cutied")
        #expect(paths.cacheDirectory == "/k/cutied")
        #expect(try paths.controlSocketPath() == "/r/cutied/control.sock")
    }

    @Test func `XDG variables that are empty or relative are ignored`() {
        let paths = paths([
            "HOME": "/home/anna", "XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "", "XDG_CACHE_HOME": "./k",
            "XDG_RUNTIME_DIR": "r", "XDG_CONFIG_DIRS": "a:", "CUTIED_SOCKET": "",
        ])
        #expect(paths == self.paths(["HOME": "/home/anna"]))
    }

    @Test func `CUTIED_SOCKET sets the path of the control socket`() throws {
        #expect(try paths(["CUTIED_SOCKET": "/tmp/s"]).controlSocketPath() == "/tmp/s")
    }

    @Test func `The error names the environment variable if there is no runtime directory`() {
        let error = #expect(throws: Paths.NoRuntimeDirectory.self) { try paths([:]).controlSocketPath() }
        #expect(error?.description.contains("XDG_RUNTIME_DIR is not set") == true)
    }

    @Test func `The first configuration file that exists is used`() throws {
        let directory = try TemporaryDirectory()
        let environment = [
            "XDG_CONFIG_HOME": directory.file("own"), "XDG_CONFIG_DIRS": directory.file("machine"),
        ]
        #expect(paths(environment).existingConfigurationFile() == nil)
        for name in ["machine", "own"] {
            let path = directory.file(name) + "/cutied"
            _ = try PrivateDirectory(making: path)
            try SmallFile.replace(path + "/config.yaml", with: [])
            #expect(paths(environment).existingConfigurationFile() == path + "/config.yaml")
        }
    }
}

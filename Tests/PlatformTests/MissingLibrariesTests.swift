import Foundation
import TestSupport
import Testing

@testable import Platform

struct MissingLibrariesTests {
    @Test(arguments: [
        ("\tlibc.so.6 => /lib/libc.so.6 (0x7f)\n\tlibcurl.so.4 => not found\n", 0, ["libcurl.so.4"]),
        (
            "\tlibcurl.so.4 => not found\n\tlibsqlite3.so.0 => not found\n", 0,
            ["libcurl.so.4", "libsqlite3.so.0"]
        ),
        (
            "/usr/libexec/cutied/cutied-daemon: error while loading shared libraries: "
                + "/usr/lib/libcurl.so.4: file too short\n", 0x7F00, ["libcurl.so.4"]
        ),
        (
            "x: error while loading shared libraries: libcurl.so.4: wrong ELF class\n", 0x7F00,
            ["libcurl.so.4"]
        ),
        ("x: another problem\n", 0x7F00, []),
    ])
    func `The names of missing libraries are parsed from the output of the dynamic linker`(
        output: String, status: Int32, libraries: [String]
    ) {
        let shortage = MissingLibraries(status: status, output: output)
        #expect(shortage?.libraries == libraries)
    }

    @Test func `A program whose libraries are all installed reports no missing library`() {
        #expect(MissingLibraries(status: 0, output: "\tlibc.so.6 => /lib/libc.so.6 (0x7f)\n") == nil)
        #expect(MissingLibraries(of: "/usr/bin/env") == nil)
    }

    @Test(arguments: [
        (["libcurl.so.4"], "type `sudo apt install libcurl4`"),
        (["libssl.so.3", "libcrypto.so.3"], "type `sudo apt install libssl3`"),
        (["libx.so.1"], "install the packages that contain libx.so.1"),
        (
            ["libx.so.1", "libcurl.so.4"],
            "type `sudo apt install libcurl4`, and install the packages that contain libx.so.1"
        ),
    ])
    func `The error suggests the packages of the missing libraries`(libraries: [String], advice: String) {
        let output = libraries.map { "\t\($0) => not found\n" }.joined()
        #expect(MissingLibraries(status: 0, output: output)?.advice == advice)
    }

    /// Returns the libraries that a product links directly (DT_NEEDED), except the Swift runtime.
    private func libraries(of product: String) async throws -> Set<String> {
        let report = try ChildProcess("/usr/bin/readelf", ["-d", try BuiltProduct.path(of: product)])
        #expect(try await report.waitForExit() == 0)
        let names = report.standardOutput.matches(of: /\(NEEDED\).*\[([^\]]+)\]/).map { String($0.1) }
        return Set(
            names.filter { $0.wholeMatch(of: /lib(swift|Foundation|_Foundation|dispatch|Blocks).*/) == nil })
    }

    private func package(of library: String) async throws -> String {
        let query = try ChildProcess("/usr/bin/dpkg-query", ["--search", "*/\(library)"])
        #expect(try await query.waitForExit() == 0)
        let name = query.standardOutput.prefix { $0 != ":" }
        return String(name.hasSuffix("t64") ? name.dropLast(3) : name)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-query")))
    func `The package table contains all libraries that only the daemon needs`() async throws {
        let needed = try await libraries(of: "cutied-daemon").subtracting(libraries(of: "cutied"))
        #expect(needed == Set(MissingLibraries.packages.keys))
        for (library, package) in MissingLibraries.packages {
            #expect(try await self.package(of: library) == package)
        }
    }

    @Test func `The command-line program depends only on the C library, libyaml and libqrencode`()
        async throws
    {
        let runtime: Set = [
            "libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2",
        ]
        let needed = try await libraries(of: "cutied").subtracting(runtime)
        #expect(needed == ["libyaml-0.so.2", "libqrencode.so.4"])
    }
}

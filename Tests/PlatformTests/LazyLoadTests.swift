import CLazyLoad
import Foundation
import Glibc
import TestSupport
import Testing

/// What is loaded when it is called.
struct LazyLoadTests {
    struct Named: Hashable {
        let library: String
        let function: String
    }

    /// What the C targets name: `#define GIO(name) LAZY_LOAD("libgio-2.0.so.0", name)`, and `GIO(g_bus_get);`.
    private static func named() throws -> [Named] {
        let targets = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/C")
        return try FileManager.default.contentsOfDirectory(atPath: targets.path).flatMap { target in
            let file = targets.appending(path: "\(target)/functions.c")
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [Named]() }
            let libraries = Dictionary(
                uniqueKeysWithValues: text.matches(of: /#define (\w+)\(name\) LAZY_LOAD\("([^"]+)", name\)/)
                    .map { ($0.1, String($0.2)) })
            return text.matches(of: /(?m)^(\w+)\((\w+)\);$/).compactMap { match in
                libraries[match.1].map { Named(library: $0, function: String(match.2)) }
            }
        }
    }

    @Test func `Every function that is named is in its library`() throws {
        let named = try Self.named()
        #expect(named.contains(Named(library: "libsystemd.so.0", function: "sd_notify")))
        #expect(named.count > 200)
        for (library, functions) in Dictionary(grouping: named, by: \.library) {
            let handle = try #require(dlopen(library, RTLD_LAZY | RTLD_LOCAL), "\(library)")
            defer { dlclose(handle) }
            for name in functions.map(\.function) { #expect(dlsym(handle, name) != nil, "\(name)") }
        }
    }

    @Test(arguments: [
        ("libnone.so.1", "none", "libnone.so.1: cannot open"), ("libc.so.6", "none_such", "none_such"),
    ])
    func `What is missing ends the program with a sentence`(
        library: String, name: String, words: String
    ) async {
        let result = await #expect(
            processExitsWith: .exitCode(127), observing: [\.standardErrorContent]
        ) { [library = library as String, name = name as String] in
            // As long as the program: the names are read when the function is called.
            var function = lazy_load_function(address: nil, name: strdup(name), library: strdup(library))
            lazy_load_find(&function)
        }
        let told = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(told.contains(words) && told.contains("install or update"), "\(told)")
    }
}

import Foundation
import Fuzzing
import Testing

/// Regression tests that check the stored inputs without a fuzzer.
struct CorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Corpus")

    @Test(arguments: Subject.allCases)
    func `Each input in the corpus satisfies the invariants of its fuzz target`(subject: Subject) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.corpus.appending(path: subject.rawValue), includingPropertiesForKeys: nil)
        #expect(files.count >= 5)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.path)") { try subject.check(bytes) }
        }
    }

    @Test func `Each directory of the corpus belongs to a fuzz target`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(Set(names) == Set(Subject.allCases.map(\.rawValue)))
    }
}

import Logging
import Platform
import Testing

@testable import Systemd

struct LogRecordTests {
    private func record(_ message: String, _ metadata: [String: String] = [:]) -> LogRecord {
        LogRecord(level: .warning, message: message, metadata: metadata)
    }

    @Test func `A log line contains the level, the message and the metadata sorted by name`() {
        let record = record("Connection lost", ["reason": "time out", "account": "work", "empty": ""])
        #expect(
            record.line(coloured: false)
                == "warning Connection lost account=work empty=\"\" reason=\"time out\"\n")
    }

    @Test func `Only the level of a log line is colored`() {
        #expect(record("m").line(coloured: true) == "\u{1B}[33mwarning\u{1B}[0m m\n")
    }

    @Test func `Each metadata value is sent to the journal as a separate field`() {
        #expect(
            record("m", ["account": "work", "message": "m-1", "message-id": "x"]).journalFields(
                syslogIdentifier: "cutied")
                == [
                    "PRIORITY=4", "MESSAGE=m account=work message=m-1 message-id=x",
                    "SYSLOG_IDENTIFIER=cutied",
                    "CUTIE_ACCOUNT=work", "CUTIE_MESSAGE=m-1", "CUTIE_MESSAGE_ID=x",
                ])
    }

    @Test(arguments: [
        ("a\nerror forged", "a\\u{A}error forged"), ("\u{1B}[2J", "\\u{1B}[2J"),
        ("\u{202E}abc", "\\u{202E}abc"),
        ("nul\0", "nul\\u{0}"), ("line\u{2028}end", "line\\u{2028}end"), ("é ü 漢 👍", "é ü 漢 👍"),
    ])
    func `Terminal escape sequences and line breaks in a log message are escaped`(
        text: String, expected: String
    ) {
        #expect(record(text).line(coloured: false) == "warning " + expected + "\n")
        #expect(record("m", ["k": text]).journalFields(syslogIdentifier: "i").last == "CUTIE_K=" + expected)
    }

    @Test func `The length of metadata and the number of journal fields are limited`() {
        let long = String(repeating: "x", count: 1_000_000)
        let many = Dictionary(uniqueKeysWithValues: (0..<1000).map { (long + "\($0)", long) })
        let fields = record(long, many).journalFields(syslogIdentifier: "cutied")
        #expect(fields.count == 3 + LogRecord.pairLimit)
        #expect(fields.allSatisfy { $0.utf8.count < 100_000 })
        #expect(fields.dropFirst(3).allSatisfy { $0.split(separator: "=")[0].utf8.count <= 64 })
    }

    @Test func `An error is logged as metadata`() {
        let failure = SystemFailure(call: "open /x", code: 2)
        let record = LogRecord(level: .error, message: "m", error: failure, metadata: [:])
        #expect(record.text == "m error=\"open /x: No such file or directory\"")
    }

    @Test func `A changed log level applies to existing loggers`() {
        let threshold = LogThreshold(.info)
        let destination = LogDestination(environment: [:])
        let logger = Logger(label: "test") { _ in
            JournalLogHandler(threshold: threshold, destination: destination)
        }
        var own = logger
        own.logLevel = .error
        threshold.level = .debug
        #expect(logger.logLevel == .debug)
        #expect(own.logLevel == .error)
    }
}

import Config
import CutieAPI
import Glibc
import Platform

/// Writes App ID and API address into a person's config file, and leaves the rest of it as it is.
struct Setup {
    /// The path of the config file.
    let file: String
    /// Asks and answers the line that was typed, nil at the end of input.
    let ask: (String) throws -> String?

    /// Wrong answers in a row that are borne.
    private static let mostAttempts = 5

    /// What is nil is asked for.
    func run(appID: String?, apiURL: String?) throws {
        let existing = try existingText()
        let current = try inWords { () throws(ConfigurationError) in
            try Configuration(yaml: existing ?? "", file: file).accounts.first {
                $0.name == AccountConfiguration.defaultName
            }
        }
        let id =
            try appID.map(checked(appID:)) ?? question("App ID", default: current?.appID, checked(appID:))
        // A script that names the App ID alone wants the address that is there, or the hosted one.
        let address =
            try apiURL.map(checked(apiURL:))
            ?? (appID == nil
                ? question("API address", default: "\(current?.apiURL ?? .production)", checked(apiURL:))
                : nil)
        let text = try inWords { () throws(ConfigurationError) in
            var text = ConfigurationText(existing: existing, file: file)
            try text.set(appID: id, apiURL: address)
            return text.text
        }
        try write(text)
    }

    private func question(
        _ name: String, default standard: String?, _ check: (String) throws -> String
    ) throws -> String {
        for _ in 0..<Self.mostAttempts {
            guard let line = try ask(name + (standard.map { " [\($0)]" } ?? "") + ": ") else { break }
            let typed = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            do { return try check(typed.isEmpty ? standard ?? "" : typed) } catch let complaint as Complaint {
                try Output.error.write(complaint.line + "\n")
            }
        }
        throw Complaint(.badData, "no \(name) was given", advice: "the admin dashboard shows it")
    }

    private func checked(appID: String) throws -> String {
        try check(appID: appID, apiURL: nil)
        return appID
    }

    private func checked(apiURL: String) throws -> String {
        try check(appID: "app_any", apiURL: apiURL)
        return apiURL
    }

    private func check(appID: String, apiURL: String?) throws {
        var alone = ConfigurationText(existing: nil, file: file)
        do { try alone.set(appID: appID, apiURL: apiURL) } catch {
            let name = error.key == "api_url" ? "the API address" : "the App ID"
            throw Complaint(.badData, "\(name) cannot be used: \(error.sentence)")
        }
    }
}

extension Setup {
    private func existingText() throws -> String? {
        do {
            let bytes = try SmallFile.read(file, limit: Configuration.sizeLimit)
            guard bytes.count <= Configuration.sizeLimit, let text = String(validating: bytes, as: UTF8.self)
            else {
                throw Complaint(.configuration, "\(file) is no config file", advice: "move it away")
            }
            return text
        } catch let failure as SystemFailure {
            if failure.code == ENOENT { return nil }
            throw Complaint(.failed, failure.description)
        }
    }

    private func write(_ text: String) throws {
        do {
            let directory = file.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            _ = try PrivateDirectory(making: directory)
            try SmallFile.replace(file, with: Array(text.utf8))
        } catch { throw Complaint(.failed, "cannot write the config: \(error)") }
    }

    private func inWords<Result>(_ body: () throws(ConfigurationError) -> Result) throws(Complaint) -> Result
    {
        do { return try body() } catch { throw Complaint(.configuration, error.description) }
    }
}

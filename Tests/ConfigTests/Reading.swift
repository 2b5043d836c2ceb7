import Testing

@testable import Config

/// The file name of every text that these tests read.
let file = "/home/anna/.config/cutied/config.yaml"

func read(_ text: String, environment: [String: String] = [:]) throws(ConfigurationError) -> Configuration {
    try Configuration(yaml: text, file: file, environment: environment)
}

/// The error of a text, as a person sees it, without the file's name.
func complaint(
    _ text: String, environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
    let error = try #require(throws: ConfigurationError.self, sourceLocation: sourceLocation) {
        try read(text, environment: environment)
    }
    return error.description.replacing(file, with: "")
}

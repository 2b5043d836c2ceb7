import ArgumentParser
import Sandbox

/// `stream,long-poll`
struct FeatureList: ExpressibleByArgument {
    var features: Set<SandboxFeature> = []

    static var names: String { SandboxFeature.allCases.map(\.rawValue).joined(separator: ",") }

    init() {}

    init?(argument: String) {
        for word in argument.split(separator: ",") {
            guard let feature = SandboxFeature(rawValue: String(word)) else { return nil }
            features.insert(feature)
        }
    }

    var defaultValueDescription: String { "none" }
}

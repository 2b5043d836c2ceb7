import ArgumentParser

/// The categories of the API, for completion and for a clear refusal.
enum CategoryWord: String, CaseIterable, ExpressibleByArgument {
    case bug, feature, question, feedback, other
}

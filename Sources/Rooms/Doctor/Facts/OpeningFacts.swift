import Platform

/// What becomes of a click on a pop-up.
struct OpeningFacts: Sendable {
    /// Whether a display is there; without one nothing was tried.
    var hasDisplay: Bool
    var rehearsal: Launcher.Rehearsal?
    /// `opener` of the config.
    var opener: [String]?
    /// The path of the program that is given the link: of `opener`, else of `xdg-open`. nil: not installed.
    var program: String?
    /// Who gets cutie:// links from the desktop.
    var handler: LinkHandler?
    /// What cutied shows a thread in, where it is the handler; nil where there is nothing.
    var window: String?
}

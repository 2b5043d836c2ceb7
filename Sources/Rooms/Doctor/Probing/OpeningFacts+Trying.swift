import Platform

extension OpeningFacts {
    /// Starts something harmless as a click does, and looks with the environment that it had.
    init(trying environment: [String: String], opener: [String]?) async {
        hasDisplay = environment.hasDisplay
        self.opener = opener
        guard hasDisplay else { return }
        let rehearsal = await Launcher(environment: environment).rehearse()
        self.rehearsal = rehearsal
        guard case .outlived(let given) = rehearsal else { return }
        program = InstalledPrograms(environment: environment).path(of: opener?.first ?? "xdg-open")
        handler = LinkHandler.find(scheme: "cutie", environment: given)
        let dialogs = InstalledPrograms(environment: given).dialogs
        window = TerminalWindow.installed(in: given).first?.name ?? dialogs.first
    }
}

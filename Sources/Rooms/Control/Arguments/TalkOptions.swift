import ArgumentParser

/// What every verb takes.
struct TalkOptions: ParsableArguments {
    @Flag(help: "Print the daemon's reply as JSON, one object a line.")
    var json = false

    @Flag(help: "Do not wait up to 2 s for a daemon that is starting.")
    var noWait = false
}

/// What verbs about conversations and messages take.
struct AccountOption: ParsableArguments {
    @Option(
        name: .customLong("account"), help: .init("The account, where there are several.", valueName: "name"))
    var name: String?
}

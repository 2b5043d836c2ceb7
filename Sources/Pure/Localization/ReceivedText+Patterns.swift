extension ReceivedText {
    /// Those with more words of their own come first.
    static let patterns = connection + service + links + answers + words

    private static let connection: [String] = [
        localizable("{host} has no address{detail}; check the name and the network"),
        localizable("the proxy has no address{detail}; check the proxy settings"),
        localizable("{host} cannot be reached{detail}; check the network"),
        localizable("{host} does not answer in HTTP as expected{detail}"),
        localizable("{host} did not finish its answer within {seconds} s; it is tried again later"),
        localizable("{host} did not answer within {seconds} s; it is tried again later"),
        localizable(
            """
            the certificate of {host} is for another host; check the address, or the network that answers for it
            """),
        localizable("the certificate of {host} is not valid yet; check this computer's clock"),
        localizable(
            "the certificate of {host} has expired; check this computer's clock, or tell the operator"),
        localizable(
            """
            the certificate of {host} is valid but has no pinned key; somebody may be listening in, or \
            tls.pins is out of date
            """),
        localizable(
            "the certificate of {host} comes from an unknown issuer; for a private CA set tls.ca_file"),
        localizable("the certificate of {host} is refused{detail}"),
        localizable("{host} speaks no TLS version that is allowed; see tls.min_version"),
        localizable("no secure connection to {host}{detail}"),
        localizable("the connection to {host} broke{detail}"),
    ]

    private static let service: [String] = [
        localizable("{reason}, and not in the API's words: this network may want you to log in"),
        localizable("the server answered {status}: {message}"),
        localizable("the server answered {status}"),
        localizable("the API answered something unreadable: {message}"),
        localizable("the API does not register this device: {reason}"),
        localizable("the API refuses App ID {app}; see app_id in the configuration"),
        localizable("the API refuses App ID {app}"),
        localizable("the API told no account"),
        localizable("The API cannot be reached: {reason}"),
        localizable("The API answered {status}: {reason}"),
        localizable("The API refused it: {reason}"),
        localizable("The token cannot be used: {reason}"),
        localizable("There is no account of that name any more."),
        localizable("this version of cutied does not know what it is"),
        localizable("it was refused"),
        localizable("it does not answer"),
        localizable("no App ID is configured"),
        localizable("it is none"),
        localizable("it was made here; use it on another computer"),
        localizable("it was used, has expired, or is not of {host}; ask for a new one"),
        localizable("{program}: it ended with code {code}"),
        localizable("{program}: it was ended by signal {code}"),
    ]

    private static let links: [String] = [
        localizable("this link {reason}; nothing was opened"),
        localizable("links of cutied look like cutie://conversation/ID or cutie://link?token=TOKEN"),
        localizable("is longer than {count} bytes"),
        localizable("holds characters that no link has"),
        localizable("does not begin with cutie://"),
        localizable("is neither about a conversation nor about an app"),
        localizable("may hold no user name and no port"),
        localizable("may hold no #"),
        localizable("must name one conversation, or no path where it is about an app"),
        localizable("holds an id that cannot be one"),
        localizable("holds something behind its ? that does not belong there"),
        localizable("says the same thing twice behind its ?"),
        localizable("holds no name of an account behind account="),
        localizable("holds no token that could be one"),
        localizable("holds no App ID that could be one"),
        localizable("holds no address of an API behind api_url="),
        localizable("this link sets up App ID {app} at {host}; nothing was changed"),
        localizable("where you know who it is from: `cutied setup --app-id '{link}'`"),
        localizable("this link is about an app; nobody can answer it"),
        localizable("only cutie://conversation/ID can be answered"),
    ]

    /// What `open` says on a desktop.
    private static let answers: [String] = [
        localizable("there is no conversation {name} here"),
        localizable("there is no account {name} here"),
        localizable("`cutied ctl inbox` lists the conversations"),
        localizable("`cutied ctl status` lists the accounts"),
        localizable("{name} is in several accounts"),
        localizable("add --account ({names})"),
        localizable("there is nothing here to write a reply in"),
        localizable("install a terminal, zenity or kdialog, or use `cutied ctl reply`"),
        localizable("the server refused this device: {reason}"),
        localizable("look at `cutied ctl status`, and check the App ID with `cutied setup`"),
        localizable("the API cannot be reached: {reason}"),
        localizable("try again later, or at once with `cutied ctl reconnect`"),
        localizable("This was not sent yet: {reason}"),
        localizable("This was not sent: {reason}"),
        localizable(
            """
            your words are kept and go by themselves once the service takes this device again; \
            `cutied ctl status` tells
            """),
        localizable("your words are kept: `cutied ctl outbox retry {item}`, or `cancel`"),
        localizable("the conversation is resolved"),
        localizable("the conversation is closed"),
        localizable("it is longer than 1 MiB"),
        localizable("run `cutied setup`"),
    ]

    /// The service's own.
    private static let words: [String] = [
        localizable("bug"), localizable("feature"), localizable("question"), localizable("feedback"),
        localizable("other"),
        localizable("open"), localizable("in_progress"),
        localizable("waiting_user"), localizable("waiting_admin"), localizable("resolved"),
        localizable("closed"),
        localizable("low"), localizable("normal"), localizable("high"), localizable("urgent"),
    ]
}

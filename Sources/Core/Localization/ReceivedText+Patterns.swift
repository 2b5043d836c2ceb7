extension ReceivedText {
    static let patterns = connection + service + links + answers + words + access + signIn

    private static let connection: [String] = [
        localizable("{host} has no address{detail}"),
        localizable("check the name and the network"),
        localizable("the proxy has no address{detail}"),
        localizable("check the proxy settings"),
        localizable("{host} cannot be reached{detail}"),
        localizable("check the network"),
        localizable("{host} sent an invalid HTTP response{detail}"),
        localizable("{host} did not complete its response within {seconds} s"),
        localizable("the request will be retried later"),
        localizable("{host} did not answer within {seconds} s"),
        localizable("the certificate of {host} is for another host"),
        localizable("check the address, and whether your network intercepts connections"),
        localizable("the certificate of {host} is not valid yet"),
        localizable("check this computer's clock"),
        localizable("the certificate of {host} has expired"),
        localizable("check this computer's clock, or contact the operator"),
        localizable("the certificate of {host} is valid but has no pinned key"),
        localizable("the connection may be intercepted, or tls.pins is out of date"),
        localizable("the certificate of {host} was issued by an unknown CA"),
        localizable("for a private CA, set tls.ca_file"),
        localizable("the certificate of {host} was rejected{detail}"),
        localizable("{host} supports no allowed TLS version"),
        localizable("see tls.min_version"),
        localizable("no secure connection to {host}{detail}"),
        localizable("the connection to {host} was lost{detail}"),
    ]

    /// Reasons why an account is signed out.
    private static let signIn: [String] = [
        localizable("you are not signed in"),
        localizable("no signed-in account can be used for services"),
        localizable("the sign-in was lost"),
        localizable("the sign-in has run out"),
        localizable("the issuer ended the sign-in ({reason})"),
        localizable("run `cutied ctl signin`"),
    ]

    private static let service: [String] = [
        localizable("{reason}, but not in the format of the API: this network may require a login"),
        localizable("the server answered {status}: {message}"),
        localizable("the server answered {status}"),
        localizable("the API sent an invalid response: {message}"),
        localizable("the API does not register this device: {reason}"),
        localizable("the API refuses App ID {app}"),
        localizable("the API does not accept links without an App ID"),
        localizable("set one up with `cutied setup`"),
        localizable("see app_id in the configuration"),
        localizable("the API named no account"),
        localizable("The API cannot be reached: {reason}"),
        localizable("The API answered {status}: {reason}"),
        localizable("The API refused it: {reason}"),
        localizable("The token cannot be used: {reason}"),
        localizable("This account no longer exists."),
        localizable("this version of cutied does not support it"),
        localizable("it was refused"),
        localizable("it does not respond"),
        localizable("no App ID is configured"),
        localizable("it is not a token"),
        localizable("it was created on this computer"),
        localizable("use it on another computer"),
        localizable("it was already used, has expired, or is not from {host}"),
        localizable("request a new one"),
        localizable("{program}: it ended with code {code}"),
        localizable("{program}: it was ended by signal {code}"),
    ]

    private static let links: [String] = [
        localizable("this link {reason}"),
        localizable("nothing was opened"),
        localizable("valid links look like cutie://conversation/ID or cutie://link?token=TOKEN"),
        localizable("is longer than {count} bytes"),
        localizable("contains characters that are not allowed in a link"),
        localizable("does not begin with cutie://"),
        localizable("leads neither to a conversation nor to an app"),
        localizable("must not contain a user name or a port"),
        localizable("must not contain #"),
        localizable("must name one conversation, or have no path if it is about an app"),
        localizable("contains an invalid id"),
        localizable("contains an unknown parameter after its ?"),
        localizable("repeats a parameter after its ?"),
        localizable("has no valid account name after account="),
        localizable("contains no valid token"),
        localizable("contains no valid App ID"),
        localizable("has no valid API address after api_url="),
        localizable("this link sets up App ID {app} at {host}"),
        localizable("nothing was changed"),
        localizable("if you know who sent the link, run `cutied setup --app-id '{link}'`"),
        localizable("this link is about an app"),
        localizable("a reply is not possible"),
        localizable("replies need a link of the form cutie://conversation/ID"),
    ]

    /// Reasons of `open` on a desktop.
    private static let answers: [String] = [
        localizable("there is no conversation {name} here"),
        localizable("there is no account {name} here"),
        localizable("`cutied ctl inbox` lists the conversations"),
        localizable("`cutied ctl status` lists the accounts"),
        localizable("{name} is in several accounts"),
        localizable("add --account ({names})"),
        localizable("no program to write a reply was found"),
        localizable("install a terminal, zenity or kdialog, or use `cutied ctl reply`"),
        localizable("the server refused this device: {reason}"),
        localizable("see `cutied ctl status`, and check the App ID with `cutied setup`"),
        localizable("the API cannot be reached: {reason}"),
        localizable("try again later, or now with `cutied ctl reconnect`"),
        localizable("This was not sent yet: {reason}"),
        localizable("This was not sent: {reason}"),
        localizable("your messages are saved and will be sent when the service accepts this device again"),
        localizable("see `cutied ctl status`"),
        localizable("your message is saved: `cutied ctl outbox retry {item}`, or `cancel`"),
        localizable("the conversation is resolved"),
        localizable("the conversation is closed"),
        localizable("it is longer than 1 MiB"),
        localizable("run `cutied setup`"),
    ]

    /// Messages of the hosted service.
    private static let words: [String] = [
        localizable("bug"),
        localizable("feature"),
        localizable("question"),
        localizable("feedback"),
        localizable("other"),
        localizable("open"),
        localizable("in_progress"),
        localizable("waiting_user"),
        localizable("waiting_admin"),
        localizable("resolved"),
        localizable("closed"),
        localizable("low"),
        localizable("normal"),
        localizable("high"),
        localizable("urgent"),
    ]

    /// The effects of revoking an app's access.
    private static let access: [String] = [
        localizable(
            """
            A link asks to show an app's conversations at {host} on this computer, where they can be read and \
            answered. Allow this only if you have just requested it.
            """),
        localizable("the replies shown by {app}: its account {account} is removed from this computer"),
        localizable("the history of {account}: {count} conversations"),
        localizable("the history of {account}: 1 conversation"),
        localizable("your denial for {app}: it may ask again"),
        localizable("the tokens of {app} at {service}"),
        localizable("this computer's token at {service}"),
        localizable("{host} describes no services"),
        localizable("{protocol} is on {host}, another host than the service"),
        localizable("the token of {host} is not sent there"),
        localizable("{protocol} is not valid: {reason}"),
        localizable("it has no https address"),
    ]
}

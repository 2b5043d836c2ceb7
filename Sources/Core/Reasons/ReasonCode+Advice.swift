import Localization

extension Reason.Code {
    /// The English advice for the user, with the placeholders of `sentence`; `nil` if there is none.
    var advice: StaticString? {
        switch self {
        case .hostNotFound: localizable("check the name and the network")
        case .proxyNotFound: localizable("check the proxy settings")
        case .hostUnreachable: localizable("check the network")
        case .addressRefused: localizable("a server must not redirect requests there")
        case .connectionClosed, .callCancelled, .presenceNotConfirmed: localizable("try again")
        case .noAnswerInTime, .responseIncomplete: localizable("the request will be retried later")
        case .endlessHeader, .responseTooLarge: localizable("the response was discarded")
        case .urlInvalid: localizable("use the form https://host/…")
        case .addressNotEncrypted: localizable("use an https:// address")
        case .certificateWrongHost:
            localizable("check the address, and whether your network intercepts connections")
        case .certificateNotYetValid: localizable("check this computer's clock")
        case .certificateExpired: localizable("check this computer's clock, or contact the operator")
        case .certificateNotPinned:
            localizable("the connection may be intercepted, or tls.pins is out of date")
        case .certificateUnknownIssuer: localizable("for a private CA, set tls.ca_file")
        case .tlsVersionUnsupported: localizable("see tls.min_version")
        case .caFileUnreadable, .systemCAFileUnreadable: localizable("check tls.ca_file")
        case .appIDRefused: localizable("see app_id in the configuration")
        case .registrationUnsupported: localizable("App ID and device id are enough")
        case .registrationRefused, .conversationUnfetched, .conversationsUnfetched:
            localizable("retried automatically")
        case .scopeMissing, .someScopeMissingBecause, .someScopeMissing:
            localizable("add it to `scopes`, then run `cutied ctl signin`")
        case .attestationRefused: localizable("continuing without it")
        case .attestationOff: localizable("set `attestation: auto` in the configuration")
        case .attestationReset: localizable("run `cutied ctl attest renew` to attest again")
        case .attestationUnsupported: localizable("no action is needed")
        case .keyringLocked: localizable("it may be locked")
        case .notSignedIn,
            .signInLost,
            .signInExpired,
            .signInEndedByIssuer,
            .signInChanged,
            .signInRefusedByAPI,
            .noAccountForServices:
            localizable("run `cutied ctl signin`")
        case .signInTimedOut, .signInUnanswered: localizable("run `cutied ctl signin` again")
        case .signInCodeRefused: localizable("sign in again")
        case .redirectNotExpected: localizable("start one with `cutied ctl signin`")
        case .userUnknown: localizable("it must send an ID token or support the userinfo endpoint")
        case .methodNotOffered: localizable("it offers: {methods}")
        case .noMethodOffered: localizable("with client_secret_file, the method client can be used")
        case .issuerGaveNoReason: localizable("if this persists, run `cutied ctl signin`")
        case .issuerWithoutMetadata: localizable("see `issuer` in the configuration")
        case .clientSecretMissing: localizable("write it to that file, on one line")
        case .clientSecretUnreadable: localizable("see client_secret_file")
        case .noAppAccount: localizable("open the link of an app, or run `cutied setup`")
        case .noAccountSignsIn: localizable("run `cutied setup --staff`")
        case .itemBeingSent: localizable("`cutied ctl outbox` shows the result")
        case .accountRemoved: localizable("add it again, or cancel this message")
        case .accountOfItemRemoved: localizable("add it again")
        case .tokenOfThisComputer: localizable("use it on another computer")
        case .tokenUsed: localizable("request a new one")
        case .onlyHistoryLeft: localizable("use forget to delete it")
        case .userDeniedForHours: localizable("the app may ask again in {hours} h")
        case .userDeniedForMinutes: localizable("the app may ask again in {minutes} minutes")
        case .notASignInAccount: localizable("see `cutied setup --staff`")
        case .linksNeedAppID: localizable("set one up with `cutied setup`")
        case .presenceWithoutAgent: localizable("start one, or remove `presence` from the configuration")
        case .presenceFailed:
            localizable("install polkit and {action}.policy, or remove `presence` from the configuration")
        case .tooManyWords: localizable("use fewer words")
        case .descriptionOnlyXML: localizable("JSON or YAML is needed")
        case .protocolOnOtherHost: localizable("the token of {service} is not sent there")
        case .replyToResolved, .replyToClosed: localizable("“Try again” sends it anyway")
        case .noProgramToReply:
            localizable("install a terminal, zenity or kdialog, or use `cutied ctl reply`")
        case .linkNamesNoConversation: localizable("a reply is not possible")
        case .linkSetsUp, .linkSetsUpAt: localizable("nothing was changed")
        case .nameInSeveralAccounts: localizable("add --account ({names})")
        default: nil
        }
    }
}

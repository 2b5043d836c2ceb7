import Localization

extension Reason.Code {
    /// A sentence, and whether apps may learn it.
    struct Definition {
        /// The English sentence, without a full stop. Each `{name}` is an argument of the reason.
        let sentence: StaticString
        /// Whether the sentence contains names of accounts, services or files that an app must not learn.
        var isPrivate = false

        static func confidential(_ sentence: StaticString) -> Definition {
            Definition(sentence: sentence, isPrivate: true)
        }
    }

    /// The English sentence, without a full stop. Each `{name}` is an argument of the reason.
    var sentence: StaticString { definition.sentence }

    /// The sentence of the code, and whether apps may learn it.
    var definition: Definition {
        switch self {
        case .hostNotFound: localizable("the name {host} could not be resolved{detail}")
        case .proxyNotFound: localizable("the name of the proxy could not be resolved{detail}")
        case .hostUnreachable: localizable("{host} cannot be reached{detail}")
        case .addressRefused: localizable("{host} resolves to this computer or to the local network")
        case .connectionLost: localizable("the connection to {host} was lost{detail}")
        case .connectionClosed: localizable("the connection was closed during the request")
        case .noAnswerInTime: localizable("{host} did not respond within {seconds} s")
        case .responseIncomplete: localizable("{host} did not complete its response within {seconds} s")
        case .invalidHTTP: localizable("{host} sent an invalid HTTP response{detail}")
        case .endlessHeader: localizable("{host} sent a response header that is too large")
        case .responseTooLarge: localizable("{host} sent more than {limit} bytes")
        case .bodyTooLarge: localizable("the response is larger than {limit} bytes and was discarded")
        case .streamCompressed:
            localizable("{host} compressed a stream ({coding}) that was requested uncompressed")
        case .addressInvalid: localizable("“{url}” cannot be requested{detail}")
        case .urlInvalid: localizable("“{url}” is not a valid URL")
        case .addressNotEncrypted: localizable("the connection to {url} is not encrypted")
        case .redirectLoop: localizable("{host} redirects in a loop")
        case .redirectInvalid: localizable("{host} redirects to “{location}”, which is not a URL")
        case .redirectOfMethod: localizable("{host} redirected a {method} request with status {status}")
        case .redirected: localizable("{host} redirects to {target}")
        case .requestCancelled: localizable("the request was cancelled")
        case .certificateWrongHost: localizable("the certificate of {host} is for another host")
        case .certificateNotYetValid: localizable("the certificate of {host} is not valid yet")
        case .certificateExpired: localizable("the certificate of {host} has expired")
        case .certificateNotPinned:
            localizable("the certificate of {host} is valid but does not match a pinned key")
        case .certificateUnknownIssuer: localizable("the certificate of {host} was issued by an unknown CA")
        case .certificateRejected: localizable("the certificate of {host} was rejected{detail}")
        case .tlsVersionUnsupported:
            localizable("{host} does not support a TLS version that the configuration allows")
        case .tlsFailed: localizable("a secure connection to {host} could not be established{detail}")
        case .caFileUnreadable:
            .confidential(localizable("the CA file {file} cannot be read or contains no PEM certificate"))
        case .systemCAFileUnreadable:
            localizable("the system's CA file cannot be read or contains no PEM certificate")
        case .pinInvalid: localizable("the pin “{pin}” does not have the form sha256//<base64 of 32 bytes>")
        case .serverAnswered: localizable("the server returned {status}")
        case .serverAnsweredWith: localizable("the server returned {status}: {message}")
        case .notFromAPI:
            localizable(
                """
                {reason}, but the response did not come from the service; you may have to sign in to this \
                network
                """)
        case .apiAnswerWithoutContent:
            localizable("the service returned {status} without the requested content")
        case .apiAnswerPartial:
            localizable("the service returned {status} with partial content, which was not requested")
        case .apiAnswerNotModified:
            localizable("the service returned {status} (not modified) to an unconditional request")
        case .apiAnswerRedirect: localizable("the service returned {status} (a redirect) without an address")
        case .apiAnswerNotFinal:
            localizable("the service returned {status}, which is not a final HTTP status")
        case .apiResponseInvalid: localizable("the service sent an invalid response: {message}")
        case .jsonInvalid: localizable("not valid JSON")
        case .jsonMissing: localizable("{path} is missing")
        case .jsonWrongType: localizable("{path} has the wrong type")
        case .jsonBadValue: localizable("{path} has an invalid value")
        case .apiSilent: localizable("no response")
        case .noAnswer: localizable("no response")
        case .appIDRefused: localizable("the service does not accept the App ID {app}")
        case .deviceRefused: localizable("the service does not accept this device")
        case .deviceNotRegistered: localizable("the service refused to register this device: {reason}")
        case .registrationUnsupported:
            localizable("the service does not support device registration ({reason})")
        case .registrationRefused: localizable("the service cannot register this device now ({reason})")
        case .deviceTokenUnreadable: localizable("the device token cannot be read: {message}")
        case .scopeMissing: localizable("the sign-in lacks the scope {scope}")
        case .someScopeMissingBecause: localizable("the sign-in lacks a required scope: {message}")
        case .someScopeMissing: localizable("the sign-in lacks a required scope")
        case .attestationRefused: localizable("the service does not accept the attestation")
        case .attestationOff: localizable("attestation is off")
        case .attestationReset: localizable("the attestation was reset")
        case .attestationPending: localizable("this device has not been attested yet")
        case .attestationUnsupported: localizable("the service does not support attestation")
        case .subscriptionUnsupported:
            localizable("the service no longer reports subscriptions to devices ({reason})")
        case .refused: localizable("the service refused the request")
        case .apiRefused: localizable("the service refused the request")
        case .noReasonGiven: localizable("the service reported no reason")
        case .setAPIAddress: localizable("set `api_url` to the correct address")
        case .setIssuerAddress: localizable("set `issuer` to the correct address")
        case .noNetwork: localizable("no network is available")
        case .keyringLocked: localizable("waiting for the keyring")
        case .storeUnwritable: localizable("the database cannot be written: {message}")
        case .accountStopped: localizable("the account is stopped")
        case .notAnEventStream: localizable("the server's response is not an event stream")
        case .streamHeldBack:
            localizable("no response within {seconds} s: a proxy may be buffering the stream")
        case .streamBuffered: localizable("no data arrived: a proxy may be buffering the response")
        case .streamSilent: localizable("no data arrived on the stream for {seconds} s")
        case .streamEnded: localizable("the server ended the stream")
        case .eventTooLarge: localizable("the server sent an event that is too large")
        case .longPollsImmediate:
            localizable("the server responds to a long poll immediately instead of waiting for an event")
        case .transportTested: localizable("the transport {transport} is still being tested")
        case .transportMissing: localizable("the transport {transport} cannot be used ({reason})")
        case .bothTransportsMissing:
            localizable("the transports {transport} and {other} cannot be used ({reason})")
        case .eachTransportMissing:
            localizable("the transports {transport} ({reason}) and {other} ({second}) cannot be used")
        case .conversationUnfetched: localizable("1 conversation could not be loaded ({reason})")
        case .conversationsUnfetched: localizable("{count} conversations could not be loaded ({reason})")
        case .notSignedIn: localizable("you are not signed in")
        case .signInLost: localizable("the stored tokens of the sign-in were not found")
        case .signInExpired: localizable("the sign-in has expired")
        case .signInEndedByIssuer: localizable("the sign-in server ended the session ({reason})")
        case .signInChanged: localizable("the refreshed sign-in could not be verified: {reason}")
        case .signInRefusedByAPI:
            localizable("the service does not accept the sign-in, although the sign-in was just renewed")
        case .signedOut: localizable("signed out")
        case .signInDenied: localizable("the sign-in was denied on the sign-in page")
        case .signInTimedOut: localizable("the sign-in timed out")
        case .signInUnanswered: localizable("the sign-in timed out ({reason})")
        case .signInRefusedByIssuer: localizable("the sign-in server refused the sign-in: {reason}")
        case .signInCodeRefused: localizable("{reason}, and the sign-in server now refuses the code")
        case .signInAgain: localizable("sign in again")
        case .signInSuperseded: localizable("another sign-in was started, or the account was signed out")
        case .signInNotStored: localizable("the sign-in cannot be stored: {message}")
        case .signOutNotStored: localizable("the sign-out cannot be stored: {message}")
        case .outboxUnwritable: localizable("the outbox cannot be written: {message}")
        case .redirectNotExpected: localizable("no sign-in is in progress")
        case .redirectOfAnotherSignIn: localizable("the redirect does not belong to the current sign-in")
        case .redirectOfAnotherIssuer:
            localizable("the redirect does not come from the server of the current sign-in")
        case .userUnknown: localizable("the sign-in server does not identify the user")
        case .userinfoMissing: localizable("the sign-in server does not identify the user")
        case .methodNotOffered: localizable("the sign-in server does not offer the method {method}")
        case .noMethodOffered: localizable("the sign-in server offers no supported sign-in method")
        case .issuerSilent: localizable("the sign-in server is not responding")
        case .issuerAnswered: localizable("the sign-in server returned {status}")
        case .issuerAnsweredAt: localizable("the sign-in server ({address}) returned {status}")
        case .issuerGaveNoReason:
            localizable("the sign-in server ({address}) returned {status} without a reason")
        case .issuerAnsweredForKeys:
            localizable("the sign-in server returned {status} to the request for its keys")
        case .issuerResponseInvalid: localizable("the sign-in server sent an invalid response: {message}")
        case .issuerCodeInvalid:
            localizable("the sign-in server sent an invalid device code response: {message}")
        case .issuerKeysUnreadable: localizable("the sign-in server's keys cannot be read: {message}")
        case .issuerWithoutMetadata:
            localizable("{issuer} does not provide sign-in metadata (404 at {addresses})")
        case .issuerRefusedRefresh: localizable("the sign-in server refused to refresh the sign-in: {reason}")
        case .assertionUnreadable: localizable("the sign-in server's assertion cannot be read: {message}")
        case .serviceAnsweredAt: localizable("the service ({address}) returned {status}")
        case .serviceGaveNoReason: localizable("the service ({address}) returned {status} without a reason")
        case .clientSecretMissing: localizable("{path} contains no client secret")
        case .clientSecretUnreadable: localizable("the client secret cannot be read: {message}")
        case .noAccountSignsIn: localizable("no configured account uses sign-in")
        case .noAccountForServices: localizable("none of the signed-in accounts can access services")
        case .signedInAsMachine:
            localizable(
                """
                the account is signed in with client credentials, not as a person, so conversations cannot \
                be assigned to it
                """)
        case .itemUnsupported: localizable("this version of cutied cannot read this outbox item")
        case .itemOfIssuer:
            localizable("this token revocation must be sent to the sign-in server, not to the service")
        case .itemWithoutConversation: localizable("the conversation of the message is missing")
        case .itemSent: localizable("the message has already been sent")
        case .itemBeingSent: localizable("the message is being sent now")
        case .onlyDevicesStart: localizable("only device accounts can start conversations")
        case .conversationResolved: localizable("the conversation is resolved")
        case .conversationClosed: localizable("the conversation is closed")
        case .conversationForgotten: localizable("the conversation of this notification is no longer stored")
        case .writtenByAnotherUser: localizable("the message was written by another user, who has signed out")
        case .accountRemoved: .confidential(localizable("the account {account} is no longer configured"))
        case .accountOfItemRemoved: localizable("the account of this message is no longer configured")
        case .textTooLong: localizable("the text is longer than 1 MiB")
        case .valueEmpty: localizable("the value is empty")
        case .valueTooLong: localizable("the value is longer than {limit}")
        case .valueMissing: localizable("the value is missing")
        case .valueContradictory: localizable("the value is specified twice, with different contents")
        case .tooManyNames: localizable("the list has more than {count} names")
        case .valueLongerThanBytes: localizable("the value is longer than {count} bytes")
        case .valueNotListed: localizable("{value} is not one of these values: {choices}")
        case .valueOutOfRange: localizable("the value must be from {least} to {most}")
        case .valueTooSmall: localizable("the value must be at least {least}")
        case .valueTooLarge: localizable("the value must be at most {most}")
        case .lineRequired:
            localizable("the value must be one line of 1 to {limit} bytes, without invisible characters")
        case .controlCharacters: localizable("the value contains a line break or another control character")
        case .timeInPast: localizable("the time is in the past")
        case .timeTooFar: localizable("the time must be at most {days} days from now")
        case .notAUUID: localizable("the value is not a UUID")
        case .notAToken: localizable("the text is not a valid code")
        case .tokenOfThisComputer: localizable("the code was created on this computer")
        case .tokenOfAnotherComputer: localizable("the code was not created on this computer")
        case .tokenUsed: localizable("the code was already used, has expired, or is not from {host}")
        case .noAppAccount: localizable("no app is set up")
        case .severalAccounts: .confidential(localizable("there are several accounts: {names}"))
        case .severalSignIns: .confidential(localizable("several accounts use sign-in: {names}"))
        case .severalServices: .confidential(localizable("several services have this name: {names}"))
        case .severalConversations: localizable("message {name} exists in several conversations")
        case .noChangeGiven: localizable("no change was specified")
        case .alternativesGiven: localizable("specify either an admin or `me`, not both")
        case .variableWithoutValue: localizable("the placeholder {name} has no value")
        case .spacesNotAllowed: localizable("the value must not contain spaces")
        case .charactersOutOfRange: localizable("the value must have 1 to {most} characters")
        case .notAPushToken: localizable("the push token must have 32 to 200 hexadecimal characters")
        case .payloadNotJSON: localizable("the payload is not JSON")
        case .payloadOfAnotherProgram:
            localizable(
                """
                the payload is not for cutied, because it contains neither “conversation_id” nor “cutie”
                """)
        case .neitherIDNorName: localizable("an ID or a name is required")
        case .conversationOfMessageMissing:
            localizable("a message can be specified only together with its conversation")
        case .conversationIsResolved: localizable("the conversation is resolved")
        case .conversationIsClosed: localizable("the conversation is closed")
        case .onlyHistoryLeft:
            localizable("the permissions of the app are already revoked, and only its history is stored")
        case .factUnknown: localizable("{name} is not a supported device property")
        case .noProgramForReplies: localizable("no program that shows replies could be started")
        case .windowNotStarted: localizable("the inbox window could not be opened")
        case .appNotStarted: localizable("{app} did not start")
        case .programUnknown: localizable("this program cannot be identified, so it cannot own an account")
        case .userDenied: localizable("the user denied the request")
        case .userDeniedForHours: localizable("the user denied the request")
        case .userDeniedForMinutes: localizable("the user denied the request")
        case .userSilent: localizable("the user did not answer")
        case .questionNotAboutServices: localizable("this question does not offer a choice of services")
        case .serviceNotAChoice: localizable("{name} is not one of the choices: {choices}")
        case .onlyOneService: localizable("the app accepts only one service")
        case .questionNotStored: localizable("the question could not be saved")
        case .notADeviceAccount: localizable("the account is not a device account")
        case .notASignInAccount: localizable("the account is a device account, which needs no sign-in")
        case .tokenNotForLinks: localizable("the service returned a token that cannot be used in a link")
        case .tokenNotRevoked: localizable("the token could not be revoked: {reason}")
        case .apiNamedNoAccount: localizable("the service returned an invalid account")
        case .addressOfAnotherAccount: localizable("the account uses another API address")
        case .linksNeedAppID: localizable("the service does not accept links without an App ID")
        case .callCancelled: localizable("the request was cancelled")
        case .accountInUse: localizable("the history of an account in use cannot be deleted")
        case .noHostNamed: localizable("enter a host, or set `access.discovery` in the configuration")
        case .hostWithoutServices: localizable("{host} does not describe any services")
        case .presenceNotConfirmed: localizable("your presence was not confirmed")
        case .presenceWithoutAgent:
            localizable("your presence cannot be confirmed because this session has no polkit agent")
        case .presenceFailed: localizable("polkit cannot confirm your presence ({message})")
        case .tooManyWords: localizable("the search contains more than {most} words")
        case .invisibleCharacters: localizable("the value contains invisible characters")
        case .hostSilent: localizable("{host} is not responding")
        case .hostAnswered: localizable("{host} returned {status}")
        case .nobodySignedIn: localizable("no account is signed in")
        case .indexNeedsSignIn:
            localizable("{host} requires a sign-in, but does not belong to a signed-in account")
        case .serviceWithoutTokens: localizable("{service} has no token endpoint: org.ietf.oauth2 is missing")
        case .reasonOfHost: localizable("{host}: {reason}")
        case .serviceOnThisComputer: localizable("{service} refers to this computer, which is not allowed")
        case .serviceTokensUnusable: localizable("{host} issues no usable tokens: {reason}")
        case .serviceWithoutProtocols: localizable("{service} offers no protocols")
        case .serviceUndescribed:
            localizable("{host} describes a service at {other}, which has no service description")
        case .descriptionLinkUnusable:
            localizable("{host} describes a service at an unusable address: {reason}")
        case .descriptionOnlyXML: localizable("{host} publishes its service description only as XML")
        case .protocolNotDescribed: localizable("the service description does not contain {protocol}")
        case .protocolLinkNotText: localizable("{protocol} is not valid: the link is not a string")
        case .protocolInvalid: localizable("{protocol} is not valid: {reason}")
        case .protocolOnOtherHost:
            localizable("{protocol} is on {host}, which is not the host of the service")
        case .linkWithoutBase: localizable("the service description contains no address")
        case .linkWithoutScheme: localizable("the link begins with //, which refers to another host")
        case .linkWithOtherScheme: localizable("the link has a scheme other than https")
        case .linkBaseWithQuery: localizable("the link is relative, but its base address contains a query")
        case .linkNotEncrypted: localizable("the link does not begin with https://")
        case .linkInvalid: localizable("the link is not valid: {reason}")
        case .linkToThisComputer:
            localizable("the link refers to this computer, but the service is on another host")
        case .offline: localizable("The service cannot be reached: {reason}")
        case .apiReportedError: localizable("The service reported an error: {reason}")
        case .apiRefusedIt: localizable("The service refused the request: {reason}")
        case .accountGone: localizable("This account no longer exists.")
        case .replyToResolved: localizable("the conversation is resolved")
        case .replyToClosed: localizable("the conversation is closed")
        case .lossOfSignIn: .confidential(localizable("the sign-in of {name}"))
        case .lossOfReplies:
            .confidential(
                localizable("the account {account} on this computer and the replies that {app} shows"))
        case .lossOfHistory: .confidential(localizable("the history of {account}: {count} conversations"))
        case .lossOfShortHistory: .confidential(localizable("the history of {account}: 1 conversation"))
        case .lossOfDenial: localizable("your decision to deny access to {app}, so that {app} can ask again")
        case .lossOfRequest: localizable("the unanswered request from {app}, so that {app} can ask again")
        case .lossOfAppTokens: .confidential(localizable("the tokens of {app} at {service}"))
        case .lossOfToken: .confidential(localizable("this computer's token at {service}"))
        case .lossOfTokens:
            .confidential(
                localizable("this computer's token at {service}, and the tokens of apps that use it"))
        case .programEnded: localizable("{program} exited with code {status}")
        case .programKilled: localizable("{program} was terminated by signal {signal}")
        case .programNotStarted: localizable("{program} could not be started{detail}")
        case .socketPathTooLong:
            .confidential(localizable("the socket path {path} is longer than {limit} bytes"))
        case .socketForbidden: .confidential(localizable("this user has no permission to open {path}"))
        case .socketUnusable: localizable("the socket of the background service cannot be used{detail}")
        case .replyNeedsProgram:
            localizable("install a terminal, zenity or kdialog to reply from a notification")
        case .noProgramToReply: localizable("no terminal or dialog program is installed")
        case .nothingOpened: localizable("nothing was opened")
        case .validLinks:
            localizable("valid links look like cutie://conversation/ID or cutie://link?token=TOKEN")
        case .linkNamesNoConversation: localizable("this link does not refer to a conversation")
        case .linkSetsUp:
            localizable(
                "this link sets up the App ID {app}, but no terminal is available to confirm the setup")
        case .linkSetsUpAt:
            localizable(
                """
                this link sets up the App ID {app} at {address}, but no terminal is available to confirm the \
                setup
                """)
        case .setUpByCommand:
            localizable("if you know who sent the link, run `cutied setup --app-id '{link}'`")
        case .linkTooLong: localizable("the link is longer than {count} bytes")
        case .linkCharacters: localizable("the link contains characters that are not allowed")
        case .linkScheme: localizable("cutie:// is missing at the beginning of the link")
        case .linkKind: localizable("the link leads neither to a conversation nor to an app")
        case .linkAuthority: localizable("the link must not contain a user name or a port")
        case .linkFragment: localizable("the link must not contain #")
        case .linkPath:
            localizable(
                """
                a cutie://conversation/ link must end with exactly one ID, and other links must not have a \
                path
                """)
        case .linkIdentifier: localizable("the link contains an invalid ID")
        case .linkParameter: localizable("the link contains an unknown parameter after the ?")
        case .linkDuplicateParameter: localizable("the link repeats a parameter after the ?")
        case .linkAccount: localizable("the link contains an invalid account name")
        case .linkToken: localizable("the link contains no valid token")
        case .linkAppID: localizable("the link contains no valid App ID")
        case .linkAddress: localizable("the link contains an invalid API address")
        case .conversationNotFound: localizable("the conversation {name} is not stored on this computer")
        case .accountNotFound: .confidential(localizable("no account is named “{name}”"))
        case .listConversations: localizable("`cutied ctl inbox` lists the conversations")
        case .listAccounts: localizable("`cutied ctl status` lists the accounts")
        case .nameInSeveralAccounts: .confidential(localizable("{name} exists in several accounts"))
        case .argumentInvalid: localizable("invalid {name}: {reason}")
        case .runSetup: localizable("run `cutied setup`")
        case .runSignIn: localizable("run `cutied ctl signin`")
        case .configurationRefused: localizable("the configuration was not accepted: {reason}")
        case .serverRefusedDevice: localizable("the service denied access: {reason}")
        case .checkAppID: localizable("see `cutied ctl status`, and check the App ID with `cutied setup`")
        case .apiUnreachable: localizable("the service cannot be reached: {reason}")
        case .reconnectLater: localizable("try again later, or now with `cutied ctl reconnect`")
        case .tryLater: localizable("try again later")
        case .serviceDoesNotSupport: localizable("the service does not support this request: {reason}")
        case .apiAnsweredWithError: localizable("the service reported an error: {reason}")
        case .apiRefusedRequest: localizable("the service refused the request: {reason}")
        case .apiSentInvalidResponse: localizable("the service sent an invalid response: {reason}")
        case .issuerSentInvalidResponse: localizable("the sign-in server sent an invalid response: {reason}")
        case .serviceSentInvalidResponse: localizable("the service sent an invalid response: {reason}")
        case .notSent: localizable("not sent: {reason}")
        case .notSentYet: localizable("not sent yet: {reason}")
        case .thisWasNotSent: localizable("Your reply was not sent: {reason}")
        case .thisWasNotSentYet: localizable("Your reply has not been sent yet: {reason}")
        case .messagesWait:
            localizable("your messages are saved and will be sent when the service accepts this device again")
        case .reportToDeveloper: localizable("report the problem to the developer of the app")
        case .seeStatus: localizable("see `cutied ctl status`")
        case .daemonRefusedParameter: localizable("the daemon does not accept the parameter {name}")
        case .daemonWithoutMethod: localizable("the daemon does not support this verb")
        case .daemonReturnedError: localizable("the daemon returned the error {name}")
        case .daemonReplyUnreadable: localizable("the daemon's reply cannot be read")
        case .runDoctor:
            localizable("run `cutied doctor` to find the cause, and see `journalctl --user -u cutied`")
        case .serverFault: localizable("this is a server error; try again later")
        case .checkAPIAddress: localizable("check `api_url` in the configuration")
        case .checkIssuer: localizable("check `issuer` in the configuration")
        case .contactOperator: localizable("contact the operator of the service")
        case .apiMoved: localizable("the service has another address; check `api_url` in the configuration")
        case .correctInput: localizable("correct the input, or ask the app's developers")
        case .paidPlanRequired: localizable("this needs a paid plan of the app; ask the app's developers")
        case .maybeDone: localizable("it may already be done, or is not possible now")
        case .requestNewOne: localizable("it has expired; request a new one")
        case .makeShorter: localizable("make it shorter")
        case .retryUseless:
            localizable("sending the same request again will not help; ask the app's developers")
        case .messageIsSaved:
            localizable(
                """
                your message is saved; run `cutied ctl outbox retry {item}` to send the message, or `cutied \
                ctl outbox cancel {item}` to discard it
                """)
        case .appsTurnedOff: localizable("the user has turned off access for all apps")
        case .tooManyCalls: localizable("too many calls")
        case .tooMuchData: localizable("the app sent too much data")
        case .requestOpen: localizable("a request of this app is still pending")
        case .tooManyRequests: localizable("too many requests are pending")
        case .tooManyCallers: localizable("too many calls are waiting for the user's answer")
        case .otherApp: localizable("the system identifies this app as {app}")
        case .appIDEmpty: localizable("the App ID is empty")
        case .appIDInvalid:
            localizable("the App ID must be at most 256 ASCII characters without spaces")
        case .storeFull: localizable("no space is left for {path}")
        case .storeLocked: localizable("{path} is locked by another program")
        case .storeReadOnly: localizable("{path} cannot be written")
        case .storeIOError: localizable("{path} cannot be read or written{detail}")
        case .storeMoved: localizable("{path} was deleted or replaced while cutied was running")
        case .storeDamaged: localizable("{path} is damaged{detail}")
        case .storeNotOpened: localizable("{path} cannot be opened{detail}")
        case .storeTimedOut: localizable("reading from {path} took too long")
        case .storeFailed: localizable("{path} cannot be used{detail}")
        case .apiAddressCharacters:
            localizable("the API address contains characters that are not allowed in a URL")
        case .apiAddressScheme: localizable("https:// is missing at the beginning of the API address")
        case .apiAddressNotEncrypted:
            localizable("plain http is allowed only for 127.0.0.1, ::1 and localhost")
        case .apiAddressUser: localizable("the API address must not contain a user name or password")
        case .apiAddressQuery: localizable("the API address must not contain ? or #")
        case .apiAddressHost: localizable("the API address has no valid host name")
        case .apiAddressNumericHost: localizable("the IP address in the API address is not valid")
        case .apiAddressPort: localizable("the port of the API address is not a number from 1 to 65535")
        case .apiAddressPath:
            localizable("the path of the API address contains ., .. or an invalid % sequence")
        case .descriptionTooLarge: localizable("the description of the service is larger than {limit} KiB")
        case .descriptionEmpty: localizable("the description of the service is empty")
        case .descriptionNotUTF8: localizable("the description of the service is not UTF-8")
        case .descriptionXML: localizable("the document is XML or a web page")
        case .descriptionNotJSON:
            localizable("the description of the service begins like JSON but is not valid JSON")
        case .descriptionNotYAML: localizable("the description of the service is neither JSON nor valid YAML")
        case .descriptionAliases:
            localizable("the description of the service has YAML aliases (*name), which are not supported")
        case .descriptionTooDeep:
            localizable("the description of the service is nested deeper than {limit} levels")
        case .descriptionTooManyValues:
            localizable("the description of the service contains more than {limit} values")
        case .descriptionDuplicateKey: localizable("the service description contains a duplicate key")
        case .descriptionUnexpected: localizable("the document is not a service description")
        case .descriptionWithoutEngine:
            localizable("the description does not contain the address of the service")
        case .descriptionWithoutProtocols: localizable("the description of the service contains no protocols")
        case .descriptionEngineInvalid:
            localizable("the address of the service (`engineLink`) is not an https address")
        case .descriptionProtocolsInvalid:
            localizable(
                """
                `apis` in the description of the service is not an object with protocol names as keys
                """)
        case .descriptionTooManyProtocols:
            localizable("the description of the service contains more than {limit} protocols")
        case .descriptionDuplicateProtocol:
            localizable("the description of the service contains a protocol twice")
        case .descriptionProtocolName:
            localizable(
                "the name of a protocol is not valid: it must have 1 to {limit} bytes of visible text")
        case .serviceListTooLarge: localizable("the list of services is larger than {limit} KiB")
        case .serviceListTooLong: localizable("the list of services has more than {limit} links")
        case .serviceListNotUTF8: localizable("the list of services is not UTF-8")
        case .serviceListIsPage: localizable("the document is a web page, not a list of services")
        case .redirectUnreadable: localizable("the text is not a sign-in redirect")
        case .redirectDuplicateParameter: localizable("the sign-in redirect repeats a parameter")
        case .redirectIncomplete:
            localizable("the sign-in redirect must contain “state”, and either “code” or “error”")
        case .metadataTooLarge: localizable("the metadata of the sign-in server is larger than {limit} KiB")
        case .metadataInvalid: localizable("the sign-in server sent invalid metadata{detail}")
        case .metadataOfOtherIssuer: localizable("the server at {address} identifies itself as {name}")
        case .idTokenUnreadable: localizable("the ID token of the sign-in server cannot be read")
        case .idTokenUnsigned: localizable("the ID token of the sign-in server is not signed")
        case .idTokenAlgorithm: localizable("the sign-in server signs ID tokens with {algorithm}")
        case .idTokenSignature:
            localizable("no key of the sign-in server matches the signature of the ID token")
        case .idTokenOfOtherIssuer: localizable("the ID token is from another sign-in server")
        case .idTokenForOtherClient: localizable("the ID token is for another client")
        case .idTokenExpired: localizable("the ID token has expired")
        case .idTokenNotYetValid: localizable("the ID token is dated in the future")
        case .idTokenWithoutTime: localizable("the ID token has no issue time")
        case .idTokenOfOtherSignIn: localizable("the ID token belongs to another sign-in")
        case .idTokenOfOtherAccessToken: localizable("the ID token belongs to another access token")
        case .idTokenOfOtherUser:
            localizable("the ID token and the userinfo response are about different people")
        case .idTokenMissing: localizable("the sign-in server granted the scope openid but sent no ID token")
        case .settingAt: .confidential(localizable("{place}: {reason}"))
        case .appIDMissing: localizable("no App ID is configured")
        case .configUnreadable: localizable("the configuration cannot be read{detail}")
        case .configTooLarge: localizable("is larger than 1 MiB")
        case .configNotUTF8: localizable("is not UTF-8")
        case .configNotYAML: localizable("is not valid YAML{detail}")
        case .configAliases: localizable("anchors and aliases (&name, *name) are not allowed")
        case .configTooDeep: localizable("is nested deeper than {limit} levels")
        case .configTooManyValues: localizable("contains more than {limit} values")
        case .keyUnknown: localizable("is not a known key here")
        case .keyDuplicate: localizable("is set twice")
        case .keyNotText: localizable("has a list or a group as a key")
        case .knownKeys: localizable("known keys: {names}")
        case .didYouMean: localizable("did you mean {name}?")
        case .textRequired: localizable("must be a single text after the colon")
        case .listRequired: localizable("must be a list, such as [one, two]")
        case .groupRequired: localizable("must be a group of keys")
        case .tooManyEntries: localizable("has more than {count} entries")
        case .flagRequired: localizable("must be true or false, without quotes")
        case .wholeNumberRequired: localizable("must be a whole number from {least} to {most}")
        case .durationRequired:
            localizable("must be at least {seconds} s, written as seconds, or as 90s, 5m, 1h, 2d")
        case .choiceRequired: localizable("must be one of {choices}")
        case .visibleASCIIRequired: localizable("must be at most 256 ASCII characters without spaces")
        case .commandRequired: localizable("must be a program and its arguments, such as [program, argument]")
        case .programRequired: localizable("must begin with a program")
        case .programNotExecutable: .confidential(localizable("{program} is not an executable file"))
        case .programNotInPath: .confidential(localizable("{program} is not in PATH"))
        case .absolutePathRequired: localizable("must be an absolute path that begins with / or ~/")
        case .fileUnreadable: .confidential(localizable("{path} cannot be read{detail}"))
        case .fileWithoutCertificate: .confidential(localizable("{path} contains no PEM certificate"))
        case .timesOfDayRequired:
            localizable("must be two different times of day, for example \"22:00-07:00\"")
        case .daysAndTimesRequired:
            localizable(
                """
                must be days and two different times of day, for example "mon-fri 22:00-07:00" or \
                "sat,sun 00:00-10:00"
                """)
        case .soundRequired:
            localizable(
                "must be true, false or the name of a sound in the sound theme, such as message-new-instant")
        case .scopesRequired: localizable("must be a list of scopes, such as [openid, messages:write]")
        case .deviceContextRequired:
            localizable("must be none, minimal, standard, all, or a list of fields such as [app_version]")
        case .ruleWithoutEffect: localizable("has no effect")
        case .accountNameInvalid: localizable("is not a valid account name")
        case .accountDuplicate: localizable("is also the account of the top-level keys")
        case .accountWithoutAppID: localizable("has no app_id")
        case .keyOfDefaultAccount: localizable("belongs to the account default, which has no app_id")
        case .appIDOfDevices: localizable("is only for accounts of the kind device")
        case .keysOnOneLine: localizable("does not have its keys on separate lines")
        case .keyInBraces: localizable("is in braces")
        case .keyWithTab: localizable("has a tab on its line")
        case .keyNotAtStart: localizable("is not at the start of a line")
        case .valueWithAnchor: localizable("has an anchor, an alias or a tag")
        case .keyNotOnOwnLine: localizable("is not set on a line of its own")
        case .secretInvalid: localizable("this is not a valid secret of the API")
        case .secretsUnreadable: .confidential(localizable("{path} cannot be read{detail}"))
        case .secretsUnwritable: .confidential(localizable("{path} cannot be written{detail}"))
        case .secretsNotWritten:
            .confidential(localizable("{path} does not contain the data that was written"))
        case .secretsTooMany: .confidential(localizable("{path} would contain too many secrets"))
        case .secretsOfNewerVersion: .confidential(localizable("{path} is from a newer version of cutied"))
        case .secretsOfOtherUser: .confidential(localizable("{path} belongs to another user"))
        case .secretsOfOtherCredential:
            .confidential(localizable("{path} is encrypted with another credential"))
        case .secretsWithoutCredential:
            .confidential(localizable("{path} is encrypted and the credential is missing"))
        case .secretsAccessible:
            .confidential(
                localizable("{path} is accessible to other users and this cannot be changed{detail}"))
        case .secretsWereAccessible:
            .confidential(localizable("{path} was accessible to other users (mode {mode})"))
        case .secretsDamaged: .confidential(localizable("{path} is damaged and cannot be renamed{detail}"))
        case .secretsWereDamaged: .confidential(localizable("{path} was damaged and was renamed to {target}"))
        case .credentialSizeInvalid:
            .confidential(localizable("the credential {path} does not have 16 to 4096 bytes"))
        case .credentialUnreadable: .confidential(localizable("the credential {path} cannot be read{detail}"))
        case .keyringWithoutLibrary: localizable("libsecret is not installed")
        case .keyringMissing: localizable("no secret service answers")
        case .keyringEmpty: localizable("the secret service has no default keyring")
        case .keyringStillLocked: localizable("the keyring is locked")
        case .keyringSilent: localizable("the secret service does not respond")
        case .keyringRefused: localizable("the secret service refused the request{detail}")
        case .encryptionFailed: localizable("OpenSSL cannot encrypt the secrets")
        case .randomFailed: localizable("OpenSSL cannot create random numbers")
        case .signingFailed: localizable("OpenSSL cannot sign")
        case .attestationKeyUnusable: localizable("the attestation key is unusable")
        case .challengeTooLong: localizable("the server's challenge is too long")
        case .tpmMissing: localizable("this computer has no TPM 2.0")
        case .tpmForbidden: localizable("this user has no access to the TPM")
        case .tpmWithoutLibrary: localizable("tpm2-tss is not installed")
        case .tpmUnreachable: localizable("the TPM cannot be reached ({status})")
        case .tpmRefused: localizable("the TPM refused the request ({status})")
        case .tpmReplaced: localizable("the TPM was cleared or replaced")
        case .tpmSignatureInvalid: localizable("the TPM returned an invalid P-256 signature")
        case .askToShowReplies: localizable("Show notifications for replies?")
        case .askToShowUserMessages: localizable("Show notifications for messages?")
        case .askToShowMessages: localizable("Show notifications for messages?")
        case .repliesAreShown:
            localizable(
                """
                A notification appears when you receive a reply to your feedback. You can turn notifications \
                off.
                """)
        case .userMessagesAreShown:
            localizable("A notification appears when a user writes to you. You can turn notifications off.")
        case .messagesAreShown:
            localizable("A notification appears when a new message arrives. You can turn notifications off.")
        case .askActivity: localizable("Report active use to developers?")
        case .activityEffect:
            localizable(
                """
                If you allow this, each start of Cuti-E on this computer is reported to the developers of \
                your apps. The report contains a number that identifies this device, not your name.
                """)
        case .askApp: localizable("Add another app’s conversations?")
        case .appEffect:
            localizable(
                """
                A link asks to add an app’s conversations at {host} to this computer, where you can read and \
                answer them. Allow this only if you have just opened the link yourself.
                """)
        case .askNamedApp: localizable("Add the conversations of {app}?")
        case .namedAppEffect:
            localizable(
                """
                A link asks to add the conversations of {app} at {host} to this computer, where you can read \
                and answer them. Allow this only if you have just opened the link yourself.
                """)
        case .askHostApp: localizable("{app} wants to show you replies from its developers")
        case .programVerified: localizable("The request comes from {program}, as verified by your system.")
        case .programUnverified:
            localizable(
                """
                The request comes from {program}. Your system could not verify that this program is the app.
                """)
        case .repliesSource: localizable("The replies come from {host}. Other apps cannot read them.")
        case .factsSent: localizable("New conversations also contain: {facts}.")
        case .factLanguage: localizable("your language")
        case .factCountry: localizable("your country")
        case .factSystem: localizable("your system version")
        case .factModel: localizable("your computer model")
        case .enumeration: localizable("{first}, {second}")
        case .askActivityOfApp: localizable("Allow {app} to count you as an active user?")
        case .activityOfAppEffect:
            localizable(
                """
                If you allow this, each start of Cuti-E on this computer is reported to the app’s \
                developers. The report contains a number that identifies this device, not your name.
                """)
        case .askLink: localizable("{app} wants to link another device")
        case .linkEffect:
            localizable(
                """
                You can then read and answer the app’s conversations on both devices. Allow this only if you \
                have just requested it.
                """)
        case .askUnlink: localizable("{app} wants to remove a linked device")
        case .unlinkEffect: localizable("{device} will no longer show the app’s conversations.")
        case .theDevice: localizable("The device")
        case .askServices: localizable("{app} requests access to your services")
        case .servicesWithoutSession:
            localizable(
                """
                The app requests permissions: {protocols}. None of your signed-in accounts can allow this. \
                Sign in to an account that can.
                """)
        case .protocolsAtOneService:
            localizable("The app requests permissions at one of these services ({services}): {protocols}.")
        case .protocolsAtServices: localizable("The app requests permissions at {services}: {protocols}.")
        case .protocolConversations: localizable("read conversations with users")
        case .protocolReplies: localizable("reply to users on your behalf")
        case .protocolStaff: localizable("manage conversations as support staff")
        case .allow: localizable("Allow")
        case .deny: localizable("Deny")
        case .notNow: localizable("Not Now")
        case .close: localizable("Close")
        case .leaveOn: localizable("Leave On")
        case .turnOff: localizable("Turn Off")
        }
    }
}

/// Returns the definition of a code whose sentence apps may read.
private func localizable(_ sentence: StaticString) -> Reason.Code.Definition {
    Reason.Code.Definition(sentence: sentence)
}

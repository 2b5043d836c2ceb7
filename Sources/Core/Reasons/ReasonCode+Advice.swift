import Localization

extension Reason.Code {
    /// The English advice for the user, with the placeholders of `sentence`; `nil` if there is none.
    var advice: StaticString? {
        switch self {
        case .hostNotFound: localizable("check the name and your network connection")
        case .proxyNotFound: localizable("check the proxy settings")
        case .hostUnreachable: localizable("check your network connection")
        case .addressRefused: localizable("local addresses are not allowed here, so check the address")
        case .connectionClosed, .callCancelled, .presenceNotConfirmed: localizable("try again")
        case .noAnswerInTime, .responseIncomplete: localizable("the request will be retried later")
        case .tooManyCalls: localizable("wait one second")
        case .tooMuchData: localizable("wait a few minutes")
        case .requestOpen: localizable("wait until the user has answered the request")
        case .tooManyRequests: localizable("try again later")
        case .appIDEmpty: localizable("specify an App ID")
        case .appIDInvalid: localizable("copy the App ID again")
        case .endlessHeader, .responseTooLarge: localizable("the response was discarded")
        case .urlInvalid: localizable("use a URL of the form https://host/…")
        case .addressNotEncrypted: localizable("use an https:// address")
        case .certificateWrongHost:
            localizable("check the address, and whether your network intercepts connections")
        case .certificateNotYetValid: localizable("check this computer's clock")
        case .certificateExpired:
            localizable("check this computer's clock, or contact the operator of the service")
        case .certificateNotPinned:
            localizable("the connection may be intercepted, or `tls.pins` is out of date")
        case .certificateUnknownIssuer: localizable("for a private CA, set `tls.ca_file`")
        case .tlsVersionUnsupported: localizable("check `tls.min_version` in the configuration")
        case .caFileUnreadable, .systemCAFileUnreadable:
            localizable("check `tls.ca_file` in the configuration")
        case .appIDRefused: localizable("check `app_id` in the configuration")
        case .registrationUnsupported: localizable("registration is not required")
        case .registrationRefused, .conversationUnfetched, .conversationsUnfetched:
            localizable("the request will be retried later")
        case .scopeMissing, .someScopeMissingBecause, .someScopeMissing:
            localizable("add the scope to `scopes`, then run `cutied ctl signin`")
        case .attestationRefused: localizable("this device continues without attestation")
        case .attestationOff: localizable("set `attestation: auto` in the configuration")
        case .attestationReset: localizable("run `cutied ctl attest renew` to attest again")
        case .attestationUnsupported: localizable("no action is needed")
        case .keyringLocked: localizable("if the keyring is locked, unlock it")
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
        case .redirectNotExpected: localizable("start a sign-in with `cutied ctl signin`")
        case .userUnknown: localizable("the server must send an ID token or support the userinfo endpoint")
        case .methodNotOffered: localizable("offered methods: {methods}")
        case .noMethodOffered: localizable("to use the method `client`, set `client_secret_file`")
        case .issuerGaveNoReason: localizable("if the problem persists, run `cutied ctl signin`")
        case .issuerWithoutMetadata:
            localizable("check that `issuer` in the configuration is the sign-in server's issuer URL")
        case .clientSecretMissing: localizable("write the client secret to that file, on one line")
        case .clientSecretUnreadable: localizable("check `client_secret_file` in the configuration")
        case .noAppAccount: localizable("open the link of an app, or run `cutied setup`")
        case .noAccountSignsIn: localizable("run `cutied setup --staff`")
        case .itemBeingSent: localizable("`cutied ctl outbox` shows the result")
        case .accountRemoved: localizable("add the account again, or cancel this message")
        case .accountOfItemRemoved: localizable("add the account again")
        case .tokenOfThisComputer: localizable("use the code on another computer")
        case .tokenUsed: localizable("request a new code")
        case .onlyHistoryLeft: localizable("use --forget to delete the history")
        case .userDeniedForHours: localizable("the app can ask again in {hours} h")
        case .userDeniedForMinutes: localizable("the app can ask again in {minutes} min")
        case .notASignInAccount: localizable("`cutied setup --staff` adds a support account")
        case .linksNeedAppID: localizable("set up an App ID with `cutied setup`")
        case .presenceWithoutAgent:
            localizable("start a polkit agent, or remove `presence` from the configuration")
        case .presenceFailed:
            localizable("install polkit and {action}.policy, or remove `presence` from the configuration")
        case .tooManyWords: localizable("use fewer words")
        case .descriptionOnlyXML: localizable("the description must be JSON or YAML")
        case .protocolOnOtherHost: localizable("the token of {service} is not sent to another host")
        case .replyToResolved, .replyToClosed: localizable("“Try Again” sends the message anyway")
        case .noProgramToReply:
            localizable("install a terminal, zenity or kdialog, or use `cutied ctl reply`")
        case .linkNamesNoConversation:
            localizable("to reply, use a link of the form cutie://conversation/ID")
        case .linkSetsUp, .linkSetsUpAt: localizable("nothing was changed")
        case .nameInSeveralAccounts: localizable("choose one of these accounts with --account: {names}")
        case .storeFull: localizable("free disk space, or raise the file size limit or the quota")
        case .storeLocked: localizable("close the other program")
        case .storeReadOnly: localizable("correct the file permissions")
        case .storeIOError, .secretsNotWritten: localizable("check the disk")
        case .storeMoved:
            localizable("cutied exits, and after the restart uses the current file or creates a new file")
        case .storeDamaged:
            localizable("restart cutied, which creates a new database and keeps a copy of the damaged file")
        case .storeNotOpened: localizable("check the owner and the permissions of the file")
        case .storeTimedOut: localizable("request less data, for example with a smaller limit")
        case .storeFailed: localizable("restart cutied, and report the problem")
        case .apiAddressCharacters, .apiAddressHost:
            localizable("https://api.cuti-e.com is an example of a valid address")
        case .apiAddressNotEncrypted: localizable("use an https:// address")
        case .apiAddressUser: localizable("remove the part before @")
        case .apiAddressQuery: localizable("remove everything after the path")
        case .apiAddressNumericHost: localizable("127.0.0.1 and [::1] are examples of valid IP addresses")
        case .apiAddressPath: localizable("remove these parts from the address")
        case .descriptionXML: localizable("only service descriptions in JSON or YAML (RSD2) are supported")
        case .metadataOfOtherIssuer:
            localizable("if you trust this server, set `issuer` to the reported address")
        case .idTokenAlgorithm:
            localizable("configure the sign-in server to sign this client's ID tokens with RS256 or ES256")
        case .idTokenExpired, .idTokenNotYetValid: localizable("check this computer's clock")
        case .daemonRefusedParameter, .daemonWithoutMethod, .daemonReturnedError, .daemonReplyUnreadable:
            localizable("if it has another version, run `systemctl --user restart cutied`")
        case .socketPathTooLong: localizable("choose a shorter one")
        case .socketForbidden: localizable("run as the user of the daemon")
        case .appIDMissing: localizable("run `cutied setup`, or set CUTIED_APP_ID")
        case .configUnreadable: localizable("see `cutied setup`")
        case .configTooLarge, .configTooDeep, .configTooManyValues: localizable("this is not a config file")
        case .configNotUTF8: localizable("save it as UTF-8")
        case .configNotYAML: localizable("indent with spaces, and quote text with special characters")
        case .configAliases: localizable("write the value out")
        case .keyDuplicate: localizable("remove one")
        case .keyNotText: localizable("write a single text before the colon")
        case .groupRequired: localizable("write `key: value` below it, one pair per line")
        case .tooManyEntries: localizable("remove some")
        case .visibleASCIIRequired: localizable("copy the value again")
        case .programNotExecutable, .fileUnreadable: localizable("correct the path or the file permissions")
        case .programNotInPath: localizable("install the program or use its absolute path")
        case .fileWithoutCertificate: localizable("export the CA certificate as PEM")
        case .ruleWithoutEffect: localizable("add `then:` with `show`, `urgency` or `sound`")
        case .accountNameInvalid: localizable("use at most 64 letters, digits, dots, - and _")
        case .accountDuplicate: localizable("write its keys in one place")
        case .accountWithoutAppID: localizable("add the App ID from the admin dashboard")
        case .keyOfDefaultAccount: localizable("write it below accounts")
        case .appIDOfDevices: localizable("remove it, or remove `kind`")
        case .keysOnOneLine, .keyNotOnOwnLine: localizable("edit the file manually")
        case .keyInBraces: localizable("write one key per line, or edit the file manually")
        case .keyWithTab: localizable("use spaces")
        case .keyNotAtStart: localizable("write it on a line of its own")
        case .valueWithAnchor: localizable("write only the value")
        case .secretInvalid, .challengeTooLong: localizable("check the server address")
        case .secretsUnreadable: localizable("correct this, because the file contains secrets")
        case .secretsUnwritable: localizable("check the free space and the file permissions")
        case .secretsTooMany: localizable("remove unused accounts")
        case .secretsOfNewerVersion: localizable("update cutied, or move the file to another place")
        case .secretsOfOtherUser, .secretsDamaged: localizable("move it to another place")
        case .secretsOfOtherCredential: localizable("restore it, or move the file to another place")
        case .secretsWithoutCredential: localizable("start cutied with its systemd unit")
        case .secretsAccessible: localizable("run chmod 600")
        case .secretsWereAccessible: localizable("its permissions were corrected")
        case .secretsWereDamaged: localizable("the devices register again")
        case .credentialSizeInvalid: localizable("create one of 32 random bytes")
        case .credentialUnreadable: localizable("check the systemd unit")
        case .keyringWithoutLibrary:
            localizable("type `sudo apt install libsecret-1-0`, or set `secrets: file`")
        case .keyringMissing: localizable("start a keyring, or set `secrets: file`")
        case .keyringEmpty: localizable("make one, or set `secrets: file`")
        case .keyringStillLocked: localizable("unlock it")
        case .keyringSilent: localizable("restart the keyring")
        case .keyringRefused: localizable("check its log")
        case .encryptionFailed, .randomFailed: localizable("check openssl.cnf")
        case .signingFailed, .attestationKeyUnusable, .tpmReplaced:
            localizable("run `cutied ctl attest renew`")
        case .tpmMissing, .tpmUnreachable: localizable("set `attestation: software`")
        case .tpmForbidden: localizable("join the group `tss`, or set `attestation: software`")
        case .tpmWithoutLibrary: localizable("install libtss2-esys, or set `attestation: software`")
        case .tpmRefused: localizable("for details, run `tpm2 rc_decode {status}`")
        case .tpmSignatureInvalid: localizable("restart the computer")
        default: nil
        }
    }
}

extension APIAddress {
    /// Text that is no address of an API. Never repeats the text: it may hold a password.
    public enum Invalid: Error, Hashable, Sendable {
        case characters
        case scheme
        case plainHTTP
        case userInformation
        case queryOrFragment
        case host
        case numericHost
        case port
        case path
    }
}

extension APIAddress.Invalid: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .characters:
            "the API address holds characters that no URL has; write it like https://api.cuti-e.com"
        case .scheme: "the API address has to begin with https://"
        case .plainHTTP:
            "plain http is for 127.0.0.1, ::1 and localhost only; write https://"
        case .userInformation: "the API address may not hold a user name or password; remove what ends in @"
        case .queryOrFragment: "the API address may not hold ? or #; remove them and what follows"
        case .host: "the API address has no valid host name; write it like https://api.cuti-e.com"
        case .numericHost: "the API address has no valid IP address; write it like 127.0.0.1 or [::1]"
        case .port: "the port of the API address is not a number from 1 to 65535"
        case .path: "the path of the API address holds ., .. or a broken % sequence; remove them"
        }
    }
}

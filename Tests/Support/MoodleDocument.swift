/// Service descriptions as the plugins moodle_rsd and swisseduid write them with PHP's `json_encode`.
public enum MoodleDocument: String, CaseIterable, Sendable {
    /// A description with one protocol for each web service, without links.
    case services
    /// A description with one protocol for each function and transport.
    case functions
    /// A description whose protocols are a list with one object for each web service and transport. The keys
    /// of an object are functions; the second object is empty.
    case lists

    /// Returns the document of a Moodle site at `url`, which has no trailing slash.
    public func text(at url: String) -> String {
        let site = url.replacing("/", with: #"\/"#) + #"\/"#
        let release = #""apiVersion":"3.1.2 (Build: 20160912)""#
        let login = #""org.ietf.oauth2":{"apiLink":"auth\/swisseduid\/cb.php","transport":["REST"]}"#
        let (engine, apis) =
            switch self {
            case .services:
                (
                    "",
                    #"{"org.moodle.moodle_mobile_app":{\#(release),"transport":["rest","xmlrpc"]},\#(login)}"#
                )
            case .functions:
                (
                    "",
                    "{"
                        + (1...400).map { number in
                            #""org.moodle.rest.core_function_\#(number)":{"notes":"Return \"it\"","engineId":"2",\#(release),"apiLink":"webservice\/rest\/server.php","transport":["rest"]},"#
                        }.joined() + "\(login)}"
                )
            case .lists:
                (
                    #"webservice\/"#,
                    #"[{"core_get_string":{"notes":"A text",\#(release),"apiLink":"rest\/server.php","transport":["rest"]},"core_get_strings":{"notes":null,\#(release),"apiLink":"rest\/server.php","transport":["rest"]}},[],{\#(login)}]"#
                )
            }
        return #"{"engineName":"Moodle","engineLink":"\#(engine)","homePageLink":"\#(site)","apis":\#(apis)}"#
    }

    /// The name of a protocol in the description, and the path of the protocol relative to the site.
    public var example: (name: String, path: String) {
        switch self {
        case .services: ("org.moodle.moodle_mobile_app", "/")
        case .functions: ("org.moodle.rest.core_function_400", "/webservice/rest/server.php")
        case .lists: ("core_get_strings", "/webservice/rest/server.php")
        }
    }

    /// The number of protocols in the description.
    public var count: Int {
        switch self {
        case .services: 2
        case .functions: 401
        case .lists: 3
        }
    }
}

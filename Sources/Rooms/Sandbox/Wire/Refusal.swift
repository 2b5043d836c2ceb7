import CutieAPI

/// Why a call is refused, with the sentence that its answer's body tells.
struct Refusal: Error {
    /// The status of the answer.
    enum Kind: Int {
        case badRequest = 400
        case unauthorized = 401
        case forbidden = 403
        case notFound = 404
        case notAcceptable = 406
        case conflict = 409
        case contentTooLarge = 413
        case unprocessable = 422
        case internalError = 500
    }

    let kind: Kind
    let sentence: String
    let code: ErrorCode?
    /// For people, where the sentence is a word for programs: `error_description` of RFC 6749.
    var explanation: String?
    /// What `WWW-Authenticate` says.
    var challenge: String?

    init(_ kind: Kind, _ sentence: String, code: ErrorCode? = nil) {
        self.kind = kind
        self.sentence = sentence
        self.code = code
    }
}

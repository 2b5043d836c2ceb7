extension APIRequest {
    /// Returns why a status makes no sense as the answer to this request; `nil` for successes and for errors, which
    /// `APIError` judges. `isConditional`: the request named the version that is known, so that 304 is an answer.
    public func contradiction(ofStatus status: Int, isConditional: Bool) -> String? {
        let sentence: String? =
            switch status {
            case 204, 205: expectsContent ? "without the content that was asked for" : nil
            case 206: "with a part of the content, which was not asked for"
            case 200...299, 400...599: nil
            case 304: isConditional ? nil : "(not modified) to a request without a condition"
            case 300...399: "(a redirect) without an address"
            default: "which is no final status of HTTP"
            }
        return sentence.map { "the API answered \(status) \($0)" }
    }
}

extension APIRequest {
    /// Returns the reason why `status` is not valid for this request; `nil` for success, and for errors,
    /// which `APIError` handles. 304 is valid only if `isConditional` is set, because the request then
    /// contains a known version.
    public func unexpectedStatusReason(of status: Int, isConditional: Bool) -> String? {
        let sentence: String? =
            switch status {
            case 204, 205: expectsContent ? "without the requested content" : nil
            case 206: "with partial content, which was not requested"
            case 200...299, 400...599: nil
            case 304: isConditional ? nil : "(not modified) to a request without a condition"
            case 300...399: "(a redirect) without an address"
            default: "which is not a final HTTP status"
            }
        return sentence.map { "the API answered \(status) \($0)" }
    }
}

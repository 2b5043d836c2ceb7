public import Reasons

extension APIRequest {
    /// Returns the reason why `status` is not valid for this request; `nil` for success, and for errors,
    /// which `APIError` handles. 304 is valid only if `isConditional` is set, because the request then
    /// contains a known version.
    public func unexpectedStatusReason(of status: Int, isConditional: Bool) -> Reason? {
        let code: Reason.Code? =
            switch status {
            case 204, 205: expectsContent ? .apiAnswerWithoutContent : nil
            case 206: .apiAnswerPartial
            case 200...299, 400...599: nil
            case 304: isConditional ? nil : .apiAnswerNotModified
            case 300...399: .apiAnswerRedirect
            default: .apiAnswerNotFinal
            }
        return code.map { Reason($0, ["status": String(status)]) }
    }
}

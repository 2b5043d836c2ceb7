public import Reasons

extension APIRequest {
    /// Returns the reason why `status` is unexpected; `nil` for success, and also for errors (400 to 599),
    /// which `APIError` handles.
    ///
    /// - Parameter isConditional: whether the request contains the version that the client already has, so
    ///   that the server may respond with 304.
    public func unexpectedStatusReason(forStatus status: Int, isConditional: Bool) -> Reason? {
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

import Crypto
import CutieAPI
import Foundation
import HTTPTypes
import Hummingbird

/// A document with an entity tag and a modification time, so that the server can respond with 304 if the
/// client has the current version.
struct StoredDocument: Sendable {
    let bytes: [UInt8]
    let type: String
    let changedAt: Timestamp

    func makeResponse(to call: SandboxCall) -> Response {
        let tag = "\"" + Data(SHA256.hash(data: bytes)).prefix(12).base64URL + "\""
        let isKnown = call.header(HeaderName.ifNoneMatch)?.matchesEntityTag(tag) ?? false
        var response = Response(status: isKnown ? .notModified : .ok)
        if !isKnown {
            response.headers[.contentType] = type
            response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        }
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "no-cache"
        response.headers[.lastModified] = changedAt.headerText
        return response
    }
}

extension Timestamp {
    /// The time in the HTTP date format (RFC 9110, 5.6.7), independent of the locale.
    fileprivate var headerText: String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let moment = calendar.dateComponents(
            [.weekday, .day, .month, .year, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: Double(milliseconds / 1000)))
        func digits(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][(moment.weekday ?? 1) - 1]
        let month = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ][(moment.month ?? 1) - 1]
        let time = [moment.hour, moment.minute, moment.second].map(digits).joined(separator: ":")
        return "\(day), \(digits(moment.day)) \(month) \(moment.year ?? 1970) \(time) GMT"
    }
}

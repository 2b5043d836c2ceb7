import CutieAPI

extension Report {
    /// One object on one line, with its end.
    public func json() throws -> String {
        String(decoding: try JSON.encode(self), as: UTF8.self) + "\n"
    }
}

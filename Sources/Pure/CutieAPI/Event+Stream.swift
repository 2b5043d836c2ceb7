extension Event {
    /// The event of one stream record. `data` holds the whole event; where it cannot be read, the record's
    /// own id and type make an `.unknown` one, so that the cursor can still pass it. Nil without any id.
    public init?(streamData data: some Sequence<UInt8>, type: String, id: String) {
        if let event = try? JSON.decode(Event.self, from: data) {
            self = event
        } else if !id.isEmpty {
            self.init(
                id: ID(id), createdAt: Timestamp(milliseconds: 0),
                payload: type == "reset" ? .reset : .unknown(type: type))
        } else {
            return nil
        }
    }
}

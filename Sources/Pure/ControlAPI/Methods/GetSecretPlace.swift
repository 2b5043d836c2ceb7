/// Where tokens and keys are kept now.
public struct GetSecretPlace: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        /// `secret-service`, `sealed-file` or `plain-file`.
        public var place: String
        /// Of the file.
        public var path: String
        /// How many are still elsewhere.
        public var waiting: Int
        /// What is wrong and what to do.
        public var problem: String?
        /// What happened to the file and a person should know.
        public var notes: [String]

        public init(
            place: String, path: String, waiting: Int, problem: String? = nil, notes: [String] = []
        ) {
            self.place = place
            self.path = path
            self.waiting = waiting
            self.problem = problem
            self.notes = notes
        }
    }
}

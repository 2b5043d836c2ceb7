import Config

extension ConfigurationFacts {
    var check: Check {
        switch outcome {
        case .invalid(let error):
            return Check(Self.checkName, .failure, sentence: error.description)
        case .unreadable(let reason):
            let advice = "make it readable for you, or write it anew with `cutied setup`"
            return Check(Self.checkName, .failure, "the config cannot be read (\(reason))", advice: advice)
        case .read where accounts.isEmpty:
            let place = file.map { "\($0) holds no App ID" } ?? "there is no \(ownFile)"
            let advice = "run `cutied setup`, or set CUTIED_APP_ID"
            return Check(Self.checkName, .failure, place + " and none is set", advice: advice)
        case .read:
            let names = accounts.map(\.name).joined(separator: ", ")
            let which = accounts.count == 1 ? "account " : "accounts "
            return Check(Self.checkName, .ok, "\(file ?? "the environment"), \(which)\(names)")
        }
    }
}

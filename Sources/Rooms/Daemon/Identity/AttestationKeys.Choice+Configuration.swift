import Config
import Identity

extension AttestationKeys.Choice {
    init?(_ configured: AccountConfiguration.Attestation) {
        switch configured {
        case .off: return nil
        case .auto: self = .auto
        case .tpm2: self = .tpm2
        case .software: self = .software
        }
    }
}

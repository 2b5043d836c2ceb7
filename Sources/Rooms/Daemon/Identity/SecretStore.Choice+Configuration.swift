import Config
import Identity

extension SecretStore.Choice {
    init(_ configured: Configuration.SecretStorage) {
        switch configured {
        case .auto: self = .auto
        case .secretService: self = .secretService
        case .file: self = .file
        }
    }
}

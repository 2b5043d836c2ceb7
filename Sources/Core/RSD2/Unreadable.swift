extension ServiceDescription {
    /// The reason why a document cannot be parsed. Never contains text of the document.
    public enum Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        case tooLarge
        case empty
        case notUTF8
        /// The document is RSD 1 or a web page.
        case xml
        case notJSON
        case notYAML
        /// The YAML has an alias, which could expand to any number of values.
        case aliases
        case tooDeep
        case tooManyValues
        /// A duplicate key, for which other parsers may use another value.
        case duplicateKey
        /// The document is valid JSON or YAML, but not a service description.
        case unexpectedStructure
        case missing(Field)
        case unusable(Field)
        case tooManyProtocols
        case duplicateProtocol
        case protocolName

        public enum Field: String, Hashable, Sendable {
            case engineLink, apis
        }

        public var description: String {
            switch self {
            case .tooLarge:
                "the description of the service is larger than \(ServiceDescription.sizeLimit >> 10) KiB"
            case .empty: "the description of the service is empty"
            case .notUTF8: "the description of the service is not UTF-8"
            case .xml:
                "it is XML or a web page; only service descriptions in JSON or YAML (RSD 2) are supported"
            case .notJSON: "the description of the service begins like JSON but is not valid JSON"
            case .notYAML: "the description of the service is neither JSON nor valid YAML"
            case .aliases: "the description of the service has YAML aliases (*name), which are not supported"
            case .tooDeep:
                "the description of the service is nested deeper than \(ServiceDocumentParser.depthLimit) levels"
            case .tooManyValues:
                "the description of the service contains more than \(ServiceDocumentParser.valueLimit) values"
            case .duplicateKey: "the description of the service has a key twice"
            case .unexpectedStructure: "it is not a service description"
            case .missing(.engineLink): "the description does not contain the address of the service"
            case .missing(let field): "the description of the service has no \(field.rawValue)"
            case .unusable(.engineLink): "the service's engineLink is not an https address"
            case .unusable(.apis): "the service's apis are not an object of named protocols"
            case .tooManyProtocols:
                "the service names more than \(ServiceDescription.protocolLimit) protocols"
            case .duplicateProtocol: "the service names a protocol twice"
            case .protocolName:
                "the name of a protocol is not valid: it must have 1 to \(ServiceDocumentParser.maxNameLength) bytes of visible text"
            }
        }
    }
}

public import Reasons

extension ServiceDescription {
    /// The reason why a document cannot be parsed. The text of the document is not included, because it is
    /// untrusted.
    public enum ParseError: ReasonedError, Hashable, Sendable {
        case tooLarge
        case empty
        case notUTF8
        /// The document is RSD 1, which is XML, or a web page.
        case xml
        case notJSON
        case notYAML
        /// The YAML contains an alias, with which a short document could expand to a huge number of values.
        case aliases
        case tooDeep
        case tooManyValues
        /// The document contains a key twice. Such a document is ambiguous, because parsers differ in which
        /// value they use.
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

        public var reason: Reason {
            switch self {
            case .tooLarge:
                Reason(.descriptionTooLarge, ["limit": String(ServiceDescription.sizeLimit >> 10)])
            case .empty: Reason(.descriptionEmpty)
            case .notUTF8: Reason(.descriptionNotUTF8)
            case .xml: Reason(.descriptionXML)
            case .notJSON: Reason(.descriptionNotJSON)
            case .notYAML: Reason(.descriptionNotYAML)
            case .aliases: Reason(.descriptionAliases)
            case .tooDeep: Reason(.descriptionTooDeep, ["limit": String(ServiceDocumentParser.depthLimit)])
            case .tooManyValues:
                Reason(.descriptionTooManyValues, ["limit": String(ServiceDocumentParser.valueLimit)])
            case .duplicateKey: Reason(.descriptionDuplicateKey)
            case .unexpectedStructure: Reason(.descriptionUnexpected)
            case .missing(.engineLink): Reason(.descriptionWithoutEngine)
            case .missing(.apis): Reason(.descriptionWithoutProtocols)
            case .unusable(.engineLink): Reason(.descriptionEngineInvalid)
            case .unusable(.apis): Reason(.descriptionProtocolsInvalid)
            case .tooManyProtocols:
                Reason(
                    .descriptionTooManyProtocols, ["limit": String(ServiceDescription.protocolLimit)])
            case .duplicateProtocol: Reason(.descriptionDuplicateProtocol)
            case .protocolName:
                Reason(
                    .descriptionProtocolName, ["limit": String(ServiceDocumentParser.maxNameLength)])
            }
        }
    }
}

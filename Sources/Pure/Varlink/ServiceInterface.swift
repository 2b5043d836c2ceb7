/// `org.varlink.service`, which every Varlink service has. Source: varlink.org, Service.
public enum ServiceInterface {
    public static let name = "org.varlink.service"

    /// Who made the service, and what else it speaks.
    public struct GetInfo: Method {
        public static let name = ServiceInterface.name + ".GetInfo"

        public init() {}

        public struct Reply: Codable, Hashable, Sendable {
            public var vendor: String
            public var product: String
            public var version: String
            public var url: String
            public var interfaces: [String]

            public init(
                vendor: String, product: String, version: String, url: String, interfaces: [String] = []
            ) {
                self.vendor = vendor
                self.product = product
                self.version = version
                self.url = url
                self.interfaces = interfaces
            }
        }
    }

    /// The text that describes one of the service's interfaces.
    public struct GetInterfaceDescription: Method {
        public static let name = ServiceInterface.name + ".GetInterfaceDescription"

        public var interface: String

        public init(interface: String) {
            self.interface = interface
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var description: String

            public init(description: String) {
                self.description = description
            }
        }
    }
}

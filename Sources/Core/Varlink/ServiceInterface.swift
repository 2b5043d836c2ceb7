/// The interface `org.varlink.service`, which every Varlink service implements (varlink.org, Service).
public enum ServiceInterface {
    public static let name = "org.varlink.service"

    /// A call that returns the vendor, product, version and interfaces of the service.
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

    /// A call that returns the definition of one of the service's interfaces.
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

    /// The interface definition, as returned by introspection.
    public static let description = """
        # Answered by every Varlink service: what it is and what it can do.
        interface org.varlink.service

        # Who made the service, and the names of its interfaces.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The definition of one interface, in the language of this text.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service does not have this interface.
        error InterfaceNotFound (interface: string)

        # The interface does not have this method.
        error MethodNotFound (method: string)

        # The interface has this method, the service does not do it.
        error MethodNotImplemented (method: string)

        # A parameter that is missing, unknown or of another type.
        error InvalidParameter (parameter: string)

        # The client may not call this.
        error PermissionDenied ()

        # The method answers several times and has to be called with more.
        error ExpectedMore ()

        """
}

extension ServiceInterface {
    /// The interface definition, as introspection answers it.
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

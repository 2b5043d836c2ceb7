extension Endpoint where Answer == Linking.Offer {
    /// Asks for a link token that another device can confirm.
    public static func initiateLink() -> Self {
        Self(APIRequest(.post, "sdk", "link", "initiate"))
    }
}

extension Endpoint where Answer == Linking.Confirmed {
    /// Joins the group of the device that showed the token.
    public static func confirmLink(_ confirmation: Linking.Confirmation) -> Self {
        Self(APIRequest(.post, "sdk", "link", "confirm", body: confirmation))
    }
}

extension Endpoint where Answer == Linking.Progress {
    public static func linkStatus(_ token: LinkToken) -> Self {
        Self(APIRequest(.get, "sdk", "link", "status", token.rawValue))
    }
}

extension Endpoint where Answer == Linking.Group {
    public static func linkedDevices() -> Self {
        Self(APIRequest(.get, "sdk", "link", "devices"))
    }
}

extension Endpoint where Answer == Linking.Removed {
    public static func removeLinkedDevice(_ device: DeviceID) -> Self {
        Self(APIRequest(.delete, "sdk", "link", "devices", device.rawValue))
    }
}

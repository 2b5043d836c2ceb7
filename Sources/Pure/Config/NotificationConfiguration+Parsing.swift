extension NotificationConfiguration {
    static let keys = [
        "enabled", "preview", "max_popups", "quiet_hours", "urgent_breaks_quiet", "sound", "system_messages",
    ]

    init(_ section: Section) throws(ConfigurationError) {
        if let value = section["enabled"] { enabled = try value.flag() }
        if let value = section["preview"] { preview = try value.word() }
        if let value = section["max_popups"] { maxPopups = try value.number(in: 1...100) }
        if let value = section["quiet_hours"] { quietHours = try value.quietHours() }
        if let value = section["urgent_breaks_quiet"] { urgentBreaksQuiet = try value.flag() }
        if let value = section["sound"] { sound = try value.sound() }
        if let value = section["system_messages"] { systemMessages = try value.flag() }
    }
}

extension Value {
    fileprivate func quietHours() throws(ConfigurationError) -> QuietHours {
        guard let hours = QuietHours(try text()) else {
            throw error("must be two different times of day; write \"22:00-07:00\"")
        }
        return hours
    }

    func sound() throws(ConfigurationError) -> NotificationConfiguration.Sound {
        if let flag = try? flag() { return flag ? .standard : .none }
        let name = try text()
        guard !name.isEmpty, !name.contains("/") else {
            throw error("must be true, false or the name of a theme's sound, such as message-new-instant")
        }
        return .named(name)
    }
}

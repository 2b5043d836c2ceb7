import Localization
import Testing

@Test func `Scopes are shown as readable permissions; protocol scopes and unknown scopes are omitted`() {
    let scopes = ["openid", "offline_access", "messages:write", "tags:read", "vendor:unknown", "email"]
    #expect(scopeLabels(scopes) == ["send messages", "read tags", "read your email address"])
}

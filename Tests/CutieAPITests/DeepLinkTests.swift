import Testing

@testable import CutieAPI

struct DeepLinkTests {
    @Test(arguments: [
        ("cutie://conversation/conv_42", "conv_42", nil, nil),
        ("cutie://conversation/conv_42?account=work", "conv_42", "work", nil),
        ("cutie://conversation/c?message=m%3A1&account=a.b_c-D9", "c", "a.b_c-D9", "m:1"),
        ("cutie://conversation/%63%6F%6e", "con", nil, nil),
        ("cutie://conversation/a%20b+c", "a b+c", nil, nil),
        ("cutie://conversation/gr%C3%BC%C3%9Fe", "grüße", nil, nil),
        ("cutie://conversation/-rf", "-rf", nil, nil),
        ("cutie://conversation/a:b@c", "a:b@c", nil, nil),
        ("cutie://conversation/x?message=a=b", "x", nil, "a=b"),
    ])
    func `A link to a conversation is parsed`(link: String, id: String, account: String?, message: String?)
        throws
    {
        let expected = DeepLink.conversation(
            Conversation.ID(id), account: account, message: message.map { Message.ID($0) })
        #expect(try DeepLink(link) == expected)
    }

    @Test(arguments: [
        ("", DeepLink.ParseError.scheme), ("conversation/x", .scheme), ("https://conversation/x", .scheme),
        ("CUTIE://", .scheme), ("CUTIE://conversation/x", .scheme), ("cutie:conversation/x", .scheme),
        ("cutie:/conversation/x", .scheme), ("javascript:alert(1)", .scheme), ("file:///etc/passwd", .scheme),
        (" cutie://conversation/x", .characters), ("cutie://conversation/x\n", .characters),
        ("cutie://conversation/x y", .characters), ("cutie://conversation/é", .characters),
        ("cutie://conversation/\u{0}", .characters), (#"cutie://conversation/x\y"#, .characters),
        ("cutie://conversation/x\"", .characters), ("cutie://conversation/`id`", .characters),
        ("cutie://", .kind), ("cutie:///", .kind), ("cutie:///conversation/x", .kind),
        ("cutie://Conversation/x", .kind), ("cutie://conversations/x", .kind),
        ("cutie://links?token=x", .kind), ("cutie://%63onversation/x", .kind), ("cutie://?account=a", .kind),
        ("cutie://me@conversation/x", .authority), ("cutie://conversation:80/x", .authority),
        ("cutie://me:secret@conversation/x", .authority), ("cutie://conversation:/x", .authority),
        ("cutie://conversation/x#y", .fragment), ("cutie://conversation/x?account=a#", .fragment),
        ("cutie://conversation", .path), ("cutie://conversation?account=a", .path),
        ("cutie://conversation/a/b", .path), ("cutie://conversation/a/", .path),
        ("cutie://conversation//a", .path), ("cutie://conversation/../a", .path),
        ("cutie://conversation/", .identifier), ("cutie://conversation/..", .identifier),
        ("cutie://conversation/.", .identifier), ("cutie://conversation/..%2f", .identifier),
        ("cutie://conversation/%2e%2e", .identifier), ("cutie://conversation/..%5c", .identifier),
        ("cutie://conversation/%00", .identifier), ("cutie://conversation/a%00b", .identifier),
        ("cutie://conversation/%0a", .identifier), ("cutie://conversation/%1b[2J", .identifier),
        ("cutie://conversation/%7f", .identifier), ("cutie://conversation/%C2%9B", .identifier),
        ("cutie://conversation/%E2%80%AE", .identifier), ("cutie://conversation/%E2%80%A8", .identifier),
        ("cutie://conversation/%", .identifier), ("cutie://conversation/%4", .identifier),
        ("cutie://conversation/%zz", .identifier), ("cutie://conversation/%+1", .identifier),
        ("cutie://conversation/%ff", .identifier), ("cutie://conversation/%c0%af", .identifier),
        ("cutie://conversation/%ed%a0%80", .identifier),
        ("cutie://conversation/x?", .parameter), ("cutie://conversation/x?&", .parameter),
        ("cutie://conversation/x?account", .parameter), ("cutie://conversation/x?token=1", .parameter),
        ("cutie://conversation/x?Account=a", .parameter), ("cutie://conversation/x?account=a&", .parameter),
        ("cutie://conversation/x?acc%6Funt=a", .parameter), ("cutie://conversation/x??account=a", .parameter),
        ("cutie://conversation/x?account=a&account=a", .duplicateParameter),
        ("cutie://conversation/x?message=a&message=b", .duplicateParameter),
        ("cutie://conversation/x?account=", .account), ("cutie://conversation/x?account=-a", .account),
        ("cutie://conversation/x?account=a%2Fb", .account), ("cutie://conversation/x?account=a%00", .account),
        ("cutie://conversation/x?account=a;b", .account), ("cutie://conversation/x?account=%C3%A9", .account),
        ("cutie://link", .token), ("cutie://link?token=", .token), ("cutie://link?token=a%20b", .token),
        ("cutie://link?token=a%0a", .token), ("cutie://link?token=%C3%A9", .token),
        ("cutie://link?token=%zz", .token), ("cutie://link/?token=x", .path), ("cutie://link/x", .path),
        ("cutie://link?token=x&token=y", .duplicateParameter), ("cutie://link?account=a", .parameter),
        ("cutie://link?token=x&account=a", .parameter),
        ("cutie://link?api_url=https%3A%2F%2Fa.example", .token),
        ("cutie://link?token=x&api_url=", .address), ("cutie://link?token=x&api_url=ftp%3A%2F%2Fa", .address),
        ("cutie://link?token=x&api_url=http%3A%2F%2Fa.example", .address),
        ("cutie://link?token=x&api_url=https%3A%2F%2Fme%40a.example", .address),
        ("cutie://link?token=x&api_url=https%3A%2F%2Fa.example&api_url=b", .duplicateParameter),
        ("cutie://me@link?token=x", .authority),
        ("cutie://setup", .appID), ("cutie://setup?api_url=https%3A%2F%2Fa.example", .appID),
        ("cutie://setup?app_id=", .identifier), ("cutie://setup?app_id=a%20b", .appID),
        ("cutie://setup?app_id=%C3%A9", .appID), ("cutie://setup/x?app_id=a", .path),
        ("cutie://setup?app_id=a&app_id=b", .duplicateParameter),
        ("cutie://setup?app_id=a&token=b", .parameter),
        ("cutie://setup?app_id=a&api_url=http%3A%2F%2Fa.example", .address),
        ("cutie://setup?app_id=a&api_url=", .address), ("cutie://link:80?token=x", .authority),
        ("cutie://link?token=x#", .fragment),
        ("cutie://conversation/x?message=", .identifier), ("cutie://conversation/x?message=%0d", .identifier),
    ])
    func `Links of other applications and malformed links are rejected`(
        link: String, reason: DeepLink.ParseError
    ) {
        #expect(throws: reason) { try DeepLink(link) }
    }

    @Test func `A link that is too long is rejected`() throws {
        func link(_ count: Int) -> String { "cutie://conversation/" + String(repeating: "x", count: count) }
        #expect(throws: Never.self) { try DeepLink(link(256)) }
        #expect(throws: DeepLink.ParseError.identifier) { try DeepLink(link(257)) }
        #expect(throws: DeepLink.ParseError.tooLong) { try DeepLink(link(1 << 20)) }
        let name = String(repeating: "a", count: 65)
        #expect(throws: DeepLink.ParseError.account) { try DeepLink(link(1) + "?account=" + name) }
    }

    @Test(arguments: [
        DeepLink.conversation("conv_42"), .conversation("a b&c=d?e#é%", account: "work", message: "m/1"),
        .conversation("-", message: "ü"), .app("cutie_ft_0123"), .app("a+b/c==&token=x%41"),
        .app("t", api: .hostedSandbox),
        .setup(appID: "app_1"), .setup(appID: "a&b=c", api: .hostedSandbox),
    ])
    func `A link is parsed to the values from which it was built`(link: DeepLink) throws {
        let isOurs = link.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        #expect(isOurs)
        // An ID with a slash cannot be parsed from a link.
        if case .conversation(_, _, "m/1") = link {
            #expect(throws: DeepLink.ParseError.identifier) { try DeepLink(link.text) }
        } else {
            #expect(try DeepLink(link.text) == link)
        }
    }

    @Test func `Printing an app link does not reveal its token`() throws {
        let link = try DeepLink("cutie://link?token=cutie%5Fft_1")
        #expect(link == .app("cutie_ft_1"))
        #expect(!"\(link)".contains("cutie_ft_1"))
    }
}

import Testing

@testable import Platform

struct RouteMessageTests {
    private func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }

    private func message(_ kind: UInt16, _ body: [UInt8], sequence: UInt32 = 0) -> [UInt8] {
        let header =
            bytes(UInt32(16 + body.count)) + bytes(kind) + bytes(UInt16(0)) + bytes(sequence)
            + bytes(UInt32(0))
        return header + body + Array(repeating: 0, count: alignedLength(body.count) - body.count)
    }

    private func attribute(_ kind: UInt16, _ value: [UInt8]) -> [UInt8] {
        bytes(UInt16(4 + value.count)) + bytes(kind) + value
            + Array(repeating: 0, count: alignedLength(value.count) - value.count)
    }

    private func contents(_ datagram: [UInt8]) -> [RouteMessage.Content] {
        RouteMessage.parseMessages(in: datagram[...]).map(\.content)
    }

    private func link(flags: UInt32) -> [UInt8] {
        message(16, [0, 0, 1, 0] + bytes(Int32(2)) + bytes(flags) + bytes(UInt32(0)))
    }

    @Test func `The up flag and the carrier of a link are parsed`() {
        func up(_ isUp: Bool, _ isRunning: Bool) -> [RouteMessage.Content] {
            [.link(.init(index: 2, isUp: isUp, isRunning: isRunning), present: true)]
        }
        #expect(contents(link(flags: 0x41)) == up(true, true))
        #expect(contents(link(flags: 0x01)) == up(true, false))
        #expect(contents(link(flags: 0x00)) == up(false, false))
        #expect(contents(link(flags: 0x49)) == [.other])
    }

    @Test func `The address, scope and state of an address message are parsed`() {
        let attributes =
            attribute(1, [192, 0, 2, 9]) + attribute(2, [192, 0, 2, 1]) + attribute(3, Array("eth0\0".utf8))
        func address(flags: UInt8, scope: UInt8) -> [UInt8] {
            message(20, [2, 24, flags, scope] + bytes(UInt32(2)) + attributes)
        }
        #expect(
            contents(address(flags: 0x80, scope: 0))
                == [.address(.init(link: 2, bytes: [192, 0, 2, 1], isTentative: false), present: true)])
        #expect(
            contents(address(flags: 0x40, scope: 0))
                == [.address(.init(link: 2, bytes: [192, 0, 2, 1], isTentative: true), present: true)])
        #expect(contents(address(flags: 0, scope: 253)) == [.other])
    }

    @Test func `Only default routes of the main routing table are parsed`() {
        func route(bits: UInt8 = 0, table: UInt8 = 254, kind: UInt8 = 1) -> [UInt8] {
            let fixed: [UInt8] = [2, bits, 0, 0, table, 3, 0, kind, 0, 0, 0, 0]
            return message(
                25,
                fixed + attribute(5, [192, 0, 2, 254]) + attribute(4, bytes(Int32(2)))
                    + attribute(6, bytes(UInt32(100))))
        }
        #expect(
            contents(route())
                == [
                    .defaultRoute(
                        .init(family: 2, link: 2, gateway: [192, 0, 2, 254], metric: 100), present: false)
                ])
        for other in [route(bits: 24), route(table: 255), route(kind: 7)] {
            #expect(contents(other) == [.other])
        }
    }

    @Test func `All messages in a datagram are parsed, and the end of a dump is detected`() {
        let messages = RouteMessage.parseMessages(
            in: (link(flags: 0x41) + message(3, bytes(Int32(0)), sequence: 7))[...])
        #expect(
            messages.map(\.content) == [
                .link(.init(index: 2, isUp: true, isRunning: true), present: true), .end,
            ])
        #expect(messages.map(\.sequence) == [0, 7])
    }

    @Test func `A truncated routing message is ignored`() {
        let whole = message(20, [2, 24, 0, 0] + bytes(UInt32(2)) + attribute(2, [192, 0, 2, 1]))
        for length in whole.indices {
            var part = Array(whole[..<length])
            #expect(contents(part) == [])
            // Parses the truncated message again, with a length field that matches its length.
            if length >= 16 {
                part.replaceSubrange(0..<4, with: bytes(UInt32(length)))
                #expect(contents(part) == [.other])
            }
        }
        #expect(contents(message(20, [2, 24, 0, 0] + bytes(UInt32(2)) + [0, 0, 2, 0])) == [.other])
    }
}

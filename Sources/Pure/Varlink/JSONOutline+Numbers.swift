extension JSONOutline {
    /// Makes every number of the value in `range` a 0 of the same length.
    static func zeroNumbers(of bytes: inout [UInt8], in range: Range<Int>) {
        var (isInString, isInNumber, index) = (false, false, range.lowerBound)
        while index < range.upperBound {
            let byte = bytes[index]
            if isInString, byte == UInt8(ascii: "\\") { index += 1 }
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            let begins = byte == UInt8(ascii: "-") || byte.isDigit
            let goesOn = begins || [UInt8](".eE+".utf8).contains(byte)
            if isInString || !(isInNumber ? goesOn : begins) {
                isInNumber = false
            } else {
                bytes[index] = isInNumber ? UInt8(ascii: " ") : UInt8(ascii: "0")
                isInNumber = true
            }
            index += 1
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

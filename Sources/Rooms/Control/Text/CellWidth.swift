/// How many cells of a terminal text takes. Close enough to `wcwidth` to keep columns straight.
enum CellWidth {
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return isWide(first) ? 2 : 1
        }
    }

    /// The beginning of `text` that fits into `cells`, ending in an ellipsis where something was cut.
    static func cut(_ text: String, to cells: Int) -> String {
        guard cells > 0, of(text) > cells else { return text }
        var used = 0
        let kept = text.prefix { character in
            used += of(character)
            return used < cells
        }
        return kept.trimmingSuffix { $0 == " " } + "…"
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x1100 { return false }
        if scalar.properties.isEmojiPresentation { return true }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF: true
        case 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60: true
        case 0xFFE0...0xFFE6, 0x20000...0x3FFFD: true
        default: false
        }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
        var result = self
        while let last = result.last, isTrimmed(last) { result.removeLast() }
        return String(result)
    }
}

/// Letter folding for searches. Folding removes case and the marks that users often omit when they
/// type.
enum LetterFolding {
    /// Appends the folded form of a letter, a digit or a mark. The folded form has zero, one or several
    /// letters.
    static func appendFolded(_ scalar: Unicode.Scalar, to word: inout String) {
        if scalar.isASCII {
            let isUpper = (0x41...0x5A).contains(scalar.value)
            word.unicodeScalars.append(isUpper ? Unicode.Scalar(UInt8(scalar.value + 0x20)) : scalar)
            return
        }
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            if let base = bases[lower] {
                word += base
            } else if CharacterClass(lower) != .ignored {
                word.unicodeScalars.append(lower)
            }
        }
    }

    private static let bases: [Unicode.Scalar: String] = {
        var bases: [Unicode.Scalar: String] = [:]
        for (base, letters) in table {
            for letter in letters.unicodeScalars { bases[letter] = base }
        }
        return bases
    }()

    /// The lowercase letters for each folded form: letters that Unicode decomposes into the folded form and a
    /// mark, and letters that users commonly replace with the folded form.
    private static let table: KeyValuePairs = [
        "a": "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ", "b": "ḃḅḇ", "c": "çćĉċčḉ", "d": "ďḋḍḏḑḓđð",
        "e": "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", "f": "ḟ", "g": "ĝğġģǧǵḡ", "h": "ĥȟḣḥḧḩḫẖħ",
        "i": "ìíîïĩīĭįǐȉȋḭḯỉịı", "j": "ĵǰ", "k": "ķǩḱḳḵ", "l": "ĺļľḷḹḻḽł", "m": "ḿṁṃ", "n": "ñńņňǹṅṇṉṋŉ",
        "o": "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøǿ", "p": "ṕṗ", "r": "ŕŗřȑȓṙṛṝṟ", "s": "śŝşšșṡṣṥṧṩſẛ",
        "t": "ţťțṫṭṯṱẗŧ", "u": "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", "v": "ṽṿ", "w": "ŵẁẃẅẇẉẘ", "x": "ẋẍ",
        "y": "ýÿŷȳẏẙỳỵỷỹ", "z": "źżžẑẓẕ",
        "ae": "æǣǽ", "oe": "œ", "ss": "ß", "th": "þ", "ij": "ĳ", "ʒ": "ǯ",
        "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "ffi": "ﬃ", "ffl": "ﬄ", "st": "ﬅﬆ",
        "α": "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ", "ε": "έἐἑἒἓἔἕὲέ",
        "η": "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ", "ι": "ΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ", "ο": "όὀὁὂὃὄὅὸό", "ρ": "ῤῥ",
        "σ": "ς", "υ": "ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ", "ω": "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ",
        "а": "ӑӓ", "г": "ѓ", "е": "ѐёӗ", "ж": "ӂӝ", "з": "ӟ", "и": "йѝӣӥ", "к": "ќ", "о": "ӧ", "у": "ўӯӱӳ",
        "ч": "ӵ", "ы": "ӹ", "э": "ӭ", "і": "ї", "ѵ": "ѷ", "ә": "ӛ", "ө": "ӫ",
        // The Greek letters are escaped, because editors replace them with canonically equivalent letters.
        "α": "\u{1F71}", "ε": "\u{1F73}\u{3F5}", "η": "\u{1F75}", "ι": "\u{1F77}\u{1FD3}", "ο": "\u{1F79}",
        "υ": "\u{1F7B}\u{1FE3}", "ω": "\u{1F7D}", "β": "\u{3D0}", "θ": "\u{3D1}", "φ": "\u{3D5}",
        "π": "\u{3D6}", "κ": "\u{3F0}", "ρ": "\u{3F1}", "a\u{2BE}": "\u{1E9A}",
        "ا": "آأإ", "و": "ؤ", "ي": "ئىی", "ك": "ک", "ه": "ةۀ",
    ]
}

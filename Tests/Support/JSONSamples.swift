/// Valid and invalid JSON texts (RFC 8259) for parser tests. `<XX>` stands for the byte with the hexadecimal
/// value XX.
public enum JSONSamples {
    public static let valid =
        """
        "" "a" "\\"\\\\\\/\\b\\f\\n\\r\\t" "\\u0000" "\\u0041" "\\uabCD" "\\uD83D\\uDE00" "\\udbff\\uDFFF" "\\u00e9x"
        "<7F>" "<C2><80>" "<DF><BF>" "<E0><A0><80>" "<E1><80><BF>" "<ED><9F><BF>" "<EE><80><80>" "<EF><BF><BF>"
        "<F0><90><80><80>" "<F1><80><80><80>" "<F4><8F><BF><BF>" "<EF><BB><BF>" "<E2><80><A8>" "/**/" "[{" "\\\\u12"
        "\\\\" "\\\\\\"" "'" 0 -0 0.0 -0.5 1 10 -1 1.5 1e5 1E5 1e+5 1e-5 0e0 0E+1 10.01e-10 1.5e300 1e400 -1E400
        1e-400 123456789012345678901234567890 -9223372036854775809 0.000000000000000000000000000000000001
        true false null [] [<20>] [<0A>] [1] [1,"a",null,true,{}] [[],[[]]] [1<20>,2<09>,<0D>3] [0,-0] [""]
        {} {<20>} {"":1} {"a":1,"a":2} {"a":{"b":[{}]}} {"\\u0061":1} {<0A>"a"<09>:<0D>1<20>} {"<C3><A9>":[]}
        {"a":1,"b":"x","c":null} <20>1<20> <09><0A><0D>1 <0A>"a"<0A> <20>[]<20>
        """.samples

    public static let invalid = strings + encodings + numbers + words + lists + objects + spaces

    private static let strings =
        """
        "a a" "\\x" "\\a" "\\'" "\\0" "\\u" "\\u1" "\\u12" "\\u123" "\\u12G4" "\\u 041" "\\u+041" "\\U0041"
        "\\uD800" "\\uD800x" "\\uD800\\u0041" "\\uDC00" "\\uDFFFx" "\\uD800\\uD800" "\\uDC00\\uD800" "\\uD83D\\uDE0"
        "\\uD83D\\n" "\\uD83D\\" "\\<C3><A9>" "\\<0A>" "\\<20>" "<01>" "<08>" "<09>" "<0A>" "<0D>" "<1F>" "a<0A>b"
        'a' `a` a "a""b" "a"b a"b" "a"<20>"b" \\"a" \\u0041 "\\
        """.samples

    private static let encodings =
        """
        "<80>" "<BF>" "<C3>" "<C3>a" "<C3>\\u00A9" "<C0><80>" "<C0><AF>" "<C1><BF>" "<E0><80><AF>" "<E0><9F><BF>"
        "<E2><82>" "<E2><82>a" "<E2>a<AC>" "<ED><A0><80>" "<ED><BF><BF>" "<F0><80><80><AF>" "<F0><8F><BF><BF>"
        "<F0><9F><98>" "<F0><9F><98>a" "<F4><90><80><80>" "<F5><80><80><80>" "<F8><88><80><80><80>"
        "<FC><84><80><80><80><80>" "<FE>" "<FF>" "<E9>" <C3><A9> <80> <FF> "<ED><A0><BD><ED><B8><80>" 1<FF>
        """.samples

    private static let numbers =
        """
        01 -01 00 -00 007 1.2.3 - + +1 +0 1. 0. -1. .5 -.5 . 1.e3 .e1 1e 1E 1e+ 1E- 1ee2 1e2e3 1e2.5 1e+-1 0e 0.e1 e1
        0x1F 0X0 0b1 0o7 1_000 1'000 Infinity -Infinity +Infinity NaN -NaN nan inf Inf --1 -+1 1- 1+1 1a 1f 1L 0d1
        1<20>2 1<20>000 -<20>1 1<20>.5 1.<20>5 1e<20>5 -a -- 1e1_0 1/2 1% $1 <D9><A1> <EF><BC><91> 1<E2><82><AC>
        <E2><88><92>1 <E2><88><9E> 1e<EF><BC><91>
        """.samples

    private static let words =
        """
        tru True TRUE truee true1 truefalse fals False falsey nul Null NULL nulll null0 nil none None undefined t f n
        yes no on true<20>false true"" ture tr<75 t<C3> nu<0A>ll @ ? ; \\n
        """.samples

    private static let lists =
        """
        [ ] [1 [1, [1,] [,1] [,] [1,,2] [1<20>2] [1:2] [1} [1) ["a":1] [1;2] [*] [a] [[] []] [1]] (1) <1> [1,[2] [""
        ["a", ["a ["a] [[1] ] [{] [0][ [01] [1,2 [],
        """.samples

    private static let objects =
        """
        { } {"a"} {"a":} {"a":1 {"a":1, {"a":1,} {,"a":1} {,} {"a":1,,"b":2} {"a"<20>1} {"a"::1} {"a":1:2} {:1} {:}
        {"a":1<20>"b":2} {a:1} {'a':1} {1:1} {null:1} {[]:1} {{}:1} {"a":1] {"a","b"} {"a":1;"b":2} {"a"="b"} {"a":1}}
        {"a\\x":1} {"<80>":1} {"\\uD800":1} {"<09>":1} {"a:1} {a":1} {"a":a} {"a":[} {"a":{} {"a"1} {"a":1"b":2} {"a""b":1}
        {[1]} {1} {"a":/**/1} {"a"/**/:1} {"a":1,#<0A>"b":2} {"a":1}{"b":2}
        """.samples

    private static let spaces =
        """
        /**/1 1/**/ //x<0A>1 #x<0A>1 <0C>1 1<0C> <0B>1 <C2><A0>1 <E2><80><A8>1 <E3><80><80>1 <EF><BB><BF>1 <EF><BB><BF>{}
        <20> <0A> , : ,1 1, :1 <1A> <7F> <01>1 1<08> <C2><85>1 1<20>, <20>,<20>
        """.samples
}

extension String {
    /// The JSON texts, which are separated by spaces, with each `<XX>` replaced by its byte.
    fileprivate var samples: [[UInt8]] {
        split(whereSeparator: { $0 == " " || $0 == "\n" }).map { String($0).unfolded }
    }

    private var unfolded: [UInt8] {
        var bytes: [UInt8] = []
        var rest = self[...]
        while let first = rest.first {
            let digits = rest.dropFirst().prefix(2)
            if first == "<", rest.dropFirst(3).first == ">", let byte = UInt8(digits, radix: 16) {
                bytes.append(byte)
                rest = rest.dropFirst(4)
            } else {
                bytes += String(first).utf8
                rest = rest.dropFirst()
            }
        }
        return bytes
    }
}

import Glibc

/// The function that libFuzzer calls for each input. `CUTIED_FUZZ` names the subject to check.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    do throws(PropertyViolation) {
        try subject.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(subject.rawValue): \(error)")
    }
    return 0
}

private let subject: Subject = {
    let name = getenv("CUTIED_FUZZ").map { String(cString: $0) } ?? ""
    guard let subject = Subject(rawValue: name) else { fatalError("CUTIED_FUZZ must name a subject") }
    return subject
}()

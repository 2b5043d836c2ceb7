import ArgumentParser

enum OnOff: String, CaseIterable, ExpressibleByArgument {
    case on, off, status
}

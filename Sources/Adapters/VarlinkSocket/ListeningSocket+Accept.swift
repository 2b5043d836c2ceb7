import CLinux
import Glibc
import Threads

extension ListeningSocket {
    enum Arrival: ~Copyable {
        case connection(Descriptor)
        case nobody
        /// Descriptors or memory ran out; the peer still waits.
        case exhausted
    }

    func accept() throws(SocketFailure) -> Arrival {
        while true {
            let number = clinux_accept(descriptor.number)
            if number >= 0 { return .connection(Descriptor(owning: number)) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return .nobody
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: throw .system("accept")
            }
        }
    }
}

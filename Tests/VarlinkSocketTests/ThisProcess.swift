import Glibc

let effectiveUser = geteuid()
let ownProcess = getpid()

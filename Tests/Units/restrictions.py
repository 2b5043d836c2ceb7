"""The deeds that test each line of the unit, and the required results under the stricter tier."""

# In a user manager, options about mounts, capabilities and other namespaces require this option.
USERS = ["PrivateUsers=yes"]
# The operation that tests each line of the unit file.
DEEDS = {
    "NoNewPrivileges=yes": "setuid",
    "UMask=0077": "umask",
    "LockPersonality=yes": "personality",
    "MemoryDenyWriteExecute=yes": "write-execute",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK": "packet-socket vsock-socket",
    "RestrictNamespaces=yes": "user-namespace",
    "RestrictRealtime=yes": "realtime",
    "RestrictSUIDSGID=yes": "setuid-bit",
    "SystemCallArchitectures=native": "foreign-call",
    "SystemCallFilter=@system-service": "ptrace mount clock",
    "SystemCallFilter=~@privileged @resources @keyring": "setuid-call priority keyring-call",
    "SystemCallErrorNumber=EPERM": "filtered-call",
    "KeyringMode=private": "session-keyring",
    "LimitNOFILE=8192": "descriptors",
    "LimitCORE=0": "core",
    "MemoryHigh=192M": "memory-high",
    "MemoryMax=256M": "memory-max",
    "TasksMax=64": "crowd",
    "PrivateUsers=yes": "owner-of-root",
    "CapabilityBoundingSet=": "bounding-set",
    "PrivateDevices=yes": "devices",
    "PrivateMounts=yes": "mount-namespace",
    "PrivateTmp=yes": "others-temporary",
    "ProtectClock=yes": "clock",
    "ProtectControlGroups=yes": "make-cgroup",
    "ProtectHome=tmpfs": "read-home",
    "ProtectHostname=yes": "name-namespace",
    "ProtectKernelLogs=yes": "kernel-log",
    "ProtectKernelModules=yes": "modules",
    "ProtectKernelTunables=yes": "tunables",
    "ProtectSystem=strict": "system",
    "ProtectProc=invisible": "others-processes",
}
# Options that restrict nothing, or that life.sh tests.
OTHER = ("Type", "NotifyAccess", "Environment", "Exec", "Timeout", "Watchdog", "Restart", "Bind",
         "CPUScheduling")
# Additional options without which an option cannot be tested separately.
BESIDE = {
    "SystemCallErrorNumber=EPERM": ["SystemCallFilter=~@mount"],
    # This option also hides the runtime directory, which contains deeds.py.
    "ProtectHome=tmpfs": ["BindReadOnlyPaths=%t"],
}
# Options without effect before systemd 257, as the unit file explains.
LATER = {"ProtectProc=invisible"}
# The result of an operation if the user manager cannot set the resource limit.
NO_CONTROLLER = "no controller"
# The required results of operations in the stricter tier.
WANTED = {
    "write-state": "-rw-------",
    "write-cache": "-rw-------",
    "write-socket-directory": "-rw-------",
    "write-runtime": "EROFS",
    "read-config": "done",
    # The daemon must not write the configuration. Only the window and `cutied setup` write it.
    "write-config": "EROFS",
    "change-config": "EROFS",
    "remove-config": "EROFS",
    "session-bus": "done",
    "manager": "done",
    "credential": "done",
}

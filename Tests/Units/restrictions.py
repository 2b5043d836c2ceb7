"""Which deed tries which line of the unit, and what must go on working."""

# What a user manager needs beside an option that is about mounts, capabilities or other namespaces.
USERS = ["PrivateUsers=yes"]
# The deeds for each line of the unit.
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
# Not restrictions, or tried by the other script.
OTHER = ("Type", "NotifyAccess", "Environment", "Exec", "Timeout", "Watchdog", "Restart", "Bind")
# What an option needs beside it to be tried alone.
BESIDE = {
    "SystemCallErrorNumber=EPERM": ["SystemCallFilter=~@mount"],
    # The deeds are in the runtime directory, which would be hidden too.
    "ProtectHome=tmpfs": ["BindReadOnlyPaths=%t"],
}
# Has no effect before systemd 257, as the file says.
LATER = {"ProtectProc=invisible"}
# What deeds.py says of a limit that the manager cannot set.
NO_CONTROLLER = "no controller"
# What must work, or must not, under the stricter tier.
WANTED = {
    "write-state": "-rw-------",
    "write-cache": "-rw-------",
    "write-socket-directory": "-rw-------",
    "write-runtime": "EROFS",
    "read-config": "done",
    # Its settings are the window's and `cutied setup`'s to write.
    "write-config": "EROFS",
    "change-config": "EROFS",
    "remove-config": "EROFS",
    "session-bus": "done",
    "manager": "done",
    "credential": "done",
}

"""The deeds that test each line of the unit, and the required results under the stricter tier."""

# A user manager needs this option for options about mounts, capabilities or other namespaces.
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
# Options that are not restrictions or are tested by life.sh.
OTHER = ("Type", "NotifyAccess", "Environment", "Exec", "Timeout", "Watchdog", "Restart", "Bind")
# Additional options that are required to test an option separately.
BESIDE = {
    "SystemCallErrorNumber=EPERM": ["SystemCallFilter=~@mount"],
    # deeds.py is in the runtime directory, which this option also hides.
    "ProtectHome=tmpfs": ["BindReadOnlyPaths=%t"],
}
# Has no effect before systemd 257, as the unit file explains.
LATER = {"ProtectProc=invisible"}
# The result of a deed if the manager cannot set the limit.
NO_CONTROLLER = "no controller"
# The required results under the stricter tier.
WANTED = {
    "write-state": "-rw-------",
    "write-cache": "-rw-------",
    "write-socket-directory": "-rw-------",
    "write-runtime": "EROFS",
    "read-config": "done",
    # Only the window and `cutied setup` write the configuration.
    "write-config": "EROFS",
    "change-config": "EROFS",
    "remove-config": "EROFS",
    "session-bus": "done",
    "manager": "done",
    "credential": "done",
}

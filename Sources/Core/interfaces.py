#!/usr/bin/env python3
"""interfaces.py: writes the Swift types of the Varlink interfaces. `make interfaces` runs it.

Each FILE.varlink below Sources/Core becomes Generated/FILE.swift in the same directory. `interfaces.py --check`
writes nothing, and exits with 1 if a generated file is outdated.

In addition to the declarations, four kinds of sentences in the comments have an effect:

    A string is at most 1 KiB long      in the comment of the interface: the limit of all other parameters
    NAME is at most 4 KiB long          in the comment of a method: the limit of a parameter, before it is decoded
    NAME has at most 32 names           in the comment of a method: the limit of a list of names
    NAME is one of a, b.c, or another   in the comment of a method: an enum for a field of its reply, which decodes
                                        other values as `unknown`

Backquotes around a name or a value have no effect on these sentences.
"""
import pathlib
import re
import sys
import textwrap

# The Swift names of types and replies, if they differ from the names in the interface. The key of a reply is
# METHOD.Reply. Replies with the same Swift name share one type. If two interfaces declare a type with the
# same Swift name, the type is generated only for the first interface.
NAMES = {
    "io.cutied.Control": {
        "State": "ConnectionState", "Badge": "BadgeView", "Notifier": "NotifierView", "Hold": "HoldView",
        "HoldReason": "HoldView.Reason", "Preview": "PreviewLevel", "Account": "AccountView", "Tag": "TagView", "Message": "MessageView",
        "Conversation": "ConversationView", "Step": "LedgerStep", "Question": "QuestionView", "Reason": "ReasonView", "App": "AppView",
        "Details": "LogDetails", "Device": "DeviceView", "PushRegistration": "PushRegistrationView",
        "Subscription": "SubscriptionView", "Match": "Search.Match", "Watch.Reply.type": "EntryKind",
        "GetUser.Reply": "UserView", "SetUser.Reply": "UserView", "ClearUser.Reply": "UserView",
        "GetAttestation.Reply": "AttestationView", "RenewAttestation.Reply": "AttestationView",
        "ResetAttestation.Reply": "AttestationView", "StartLink.Reply": "LinkView", "LinkStatus.Reply": "LinkView",
        "VerifySubscription.Reply": "GetSubscription.Reply",
    },
    "io.cutied.Grants": {
        "Service": "ServiceView", "Protocol": "ServiceProtocol", "Grant": "GrantView", "DiscoverServices.Reply": "ListServices.Reply",
        "ForgetService.Reply": "RevokeGrant.Reply", "Reason": "ReasonView",
    },
    "io.cutied.SignIn": {
        "Session": "SessionView", "Reason": "ReasonView", "CompleteSignIn.Reply": "SessionReply", "GetSession.Reply": "SessionReply",
        "RefreshProfile.Reply": "SessionReply",
    },
    "io.cutied.Staff": {
        "Tag": "TagView", "CannedResponse": "CannedResponseView", "Assign.Reply": "StaffReceipt",
        "UpdateConversation.Reply": "StaffReceipt", "AddTag.Reply": "StaffReceipt", "RemoveTag.Reply": "StaffReceipt",
        "CreateCannedResponse.Reply": "StaffReceipt",
    },
    "io.cutied.Access": {
        "Conversation": "AppConversation", "Message": "AppMessage", "Tag": "AppTag", "LinkedDevice": "AppLinkedDevice",
        "OpenForm.Reply": "Done", "UnlinkDevice.Reply": "Done", "SetConsent.Reply": "Done", "Authorization": "ServiceAuthorization",
        "Api": "ServiceAPI", "Service": "AuthorizedService", "Watch.Reply.type": "WatchEntry", "MarkRead.Reply": "Done",
        "SetAppMetadata.Reply": "Done", "ClearBadge.Reply": "Done", "SetUser.Reply": "Done", "OpenInbox.Reply": "Done",
    },
}

# The default values of initializer parameters. An optional parameter without an entry has the default nil.
DEFAULTS = {
    "BadgeView.conversations": "[:]", "GetStatus.Reply.outboxFailed": "0", "GetStatus.Reply.private": "false",
    "AccountView.kind": ".device", "AccountView.auth": ".unknown", "AccountView.scopes": "[]",
    "AccountView.outbox": "0", "AccountView.outboxFailed": "0", "AccountView.warnings": "[]",
    "GetSecretPlace.Reply.notes": "[]", "Pause.Reply.private": "false",
}

# The names of integers that are times or sequence numbers, which are generated as Int64 on all systems.
WIDE = re.compile(r"(^at|At|[uU]ntil|since|sequence|counter)$")
SIMPLE = {"bool": "Bool", "float": "Double", "string": "String", "object": "[String: JSONValue]", "any": "JSONValue"}
UNITS = {"KiB": "10", "MiB": "20"}
WIDTH = 110


class Interface:
    """The declarations of a file, in the order of the file."""

    def __init__(self, path):
        self.path, self.types, self.methods, self.errors = path, [], [], []
        self.tokens = re.findall(r"(?:^#.*\n)+|->|\[string\]|\[\]|[\w.]+|\S", path.read_text(), re.MULTILINE)
        self.name, self.comment = None, ""
        while self.tokens:
            self.declaration(self.comments())

    def comments(self):
        """Removes the comments before a declaration, and returns the last comment."""
        comment = ""
        while self.tokens and self.tokens[0].startswith("#"):
            comment = re.sub(r"^# ?", "", self.take(), flags=re.MULTILINE)
        return comment.strip()

    def declaration(self, comment):
        keyword, name = self.take(), self.take()
        if keyword == "interface":
            self.name, self.comment = name, comment
        elif keyword == "type":
            self.types.append((name, comment, self.structure()))
        elif keyword == "error":
            self.errors.append((name, comment, self.structure()))
        elif keyword == "method":
            parameters = self.structure()
            self.expect("->")
            self.methods.append((name, comment, parameters, self.structure()))
        else:
            self.fail(f"a declaration is expected, not {keyword}")

    def structure(self):
        """Returns {field: type}, or a list of the words of an enum."""
        fields, words = {}, []
        self.expect("(")
        while (name := self.take()) != ")":
            separator = self.take()
            if separator == ":":
                fields[name] = self.type()
                separator = self.take()
            else:
                words.append(name)
            if separator == ")":
                break
            if separator != ",":
                self.fail(f"a comma is expected, not {separator}")
        return words or fields

    def type(self):
        token = self.take()
        return (token, *self.type()) if token in ("?", "[]", "[string]") else (token,)

    def take(self):
        return self.tokens.pop(0) if self.tokens else self.fail("the file ends within a declaration")

    def expect(self, token):
        found = self.take()
        if found != token:
            self.fail(f"{token} is expected, not {found}")

    def fail(self, reason):
        sys.exit(f"{self.path}: {reason}")


class Writer:
    """Writes the Swift types of one interface, as lists of lines. `known` has the types of the module by name, because
    interfaces share types and methods share replies."""

    def __init__(self, interface, known):
        self.interface, self.known = interface, known
        self.names = NAMES.get(interface.name, {})
        self.title = interface.name.rsplit(".", 1)[1]
        self.kind = interface.path.parent.name.removesuffix("API")

    def text(self):
        blocks = [["// Generated by `make interfaces`. Change the interface, not this file."], ["public import Varlink"]]
        blocks.append(self.head())
        for name, comment, shape in self.interface.types:
            blocks.append(self.shared(self.names.get(name, name), comment, shape))
        for method in self.interface.methods:
            blocks += self.method(*method)
        for name, comment, fields in self.interface.errors:
            blocks.append(self.structure(name, comment, fields, f"{self.kind}Fault, Hashable", [self.wire_name(name)]))
        if any("JSONValue" in line for block in blocks for line in block):
            blocks[1].insert(0, "public import JSONReading")
        return "\n".join(separated(blocks)) + "\n"

    def wire_name(self, name):
        return f'public static let name = "{self.interface.name}.{name}"'

    def head(self):
        limit = re.search(r"A string is at most (\d+) (KiB|MiB) long", flat(self.interface.comment))
        if not limit:
            self.interface.fail("the comment of the interface does not state how long a string may be")
        conformance = ": SocketInterface" if self.kind == "Control" else ""
        members = separated([
            [self.wire_name("").replace('."', '"')],
            documented("The size limit in bytes of parameters without an individual limit.")
            + [f"public static let shortLimit = {limit[1]} << {UNITS[limit[2]]}"],
            documented("The definition of the interface in Varlink's language, for `GetInterfaceDescription`.")
            + ["public static var description: String {"]
            + [f"    String(decoding: PackageResources.{self.interface.path.name.replace('.', '_')}, as: UTF8.self)", "}"],
            listed("methods", f"any {self.kind}Method.Type", [f"{name}.self" for name, *_ in self.interface.methods]),
            # The element type is `Fault`, because casting to `ControlFault` or `AccessFault` at run time
            # would search all protocol conformances of the program.
            listed("faults", "any Fault.Type", [f"{name}.self" for name, *_ in self.interface.errors]),
        ])
        return documented(self.interface.comment) + braced(f"public enum {self.title}Interface{conformance}", members)

    def shared(self, name, comment, shape):
        """Returns a type, or nothing if the module already has the type."""
        if name in self.known:
            if self.known[name] != shape:
                self.interface.fail(f"another type {name} has other fields")
            return []
        self.known[name] = shape
        outer, _, inner = name.rpartition(".")
        if isinstance(shape, list):
            words = documented(comment) + braced(
                f"public enum {inner}: String, Codable, Sendable, CaseIterable", cases(shape))
        else:
            words = self.structure(inner, comment, shape)
        return braced(f"extension {outer}", words) if outer else words

    def structure(self, name, comment, fields, conformances="Codable, Hashable, Sendable", statics=(), path=None, inner=()):
        path = path or name
        types = {field: self.swift(kind, f"{path}.{field}") for field, kind in fields.items()}
        parameters = []
        for field, kind in fields.items():
            default = "nil" if kind[0] == "?" else DEFAULTS.get(f"{path}.{field}")
            parameters.append(f"{quoted(field)}: {types[field]}" + (f" = {default}" if default else ""))
        initializer = ["public init() {}"]
        if fields:
            line = f"public init({', '.join(parameters)})"
            body = [f"self.{field} = {quoted(field)}" for field in fields]
            # The generated line is inside one type, or inside two types if it belongs to a reply.
            fits = len(line) + 2 <= WIDTH - 4 * (2 if path.endswith(".Reply") else 1)
            initializer = braced(line, body) if fits else (
                ["public init("] + indented(filled(parameters)) + braced(")", body))
        members = separated([
            statics, [f"public var {quoted(field)}: {swift}" for field, swift in types.items()], initializer, inner])
        return documented(comment) + braced(f"public struct {name}: {conformances}", members)

    def swift(self, kind, path):
        """Returns the Swift type for `kind` of the field `path`, such as `Watch.Reply.type`."""
        name, owner, field = kind[0], path.split(".")[0], path.split(".")[-1]
        if name == "?":
            return self.swift(kind[1:], path) + "?"
        if name == "[]":
            return f"[{self.swift(kind[1:], path)}]"
        if name == "[string]":
            return f"[String: {self.swift(kind[1:], path)}]"
        if name == "int":
            return "Int64" if WIDE.search(field) else "Int"
        if name in SIMPLE:
            return self.names.get(path, SIMPLE[name])
        if name not in [declared for declared, _, _ in self.interface.types]:
            self.interface.fail(f"{path} has the undeclared type {name}")
        return self.names.get(name, name).removeprefix(owner + ".")

    def method(self, name, comment, parameters, reply):
        limits = self.limits(name, flat(comment), parameters)
        statics = [self.wire_name(name)]
        statics += [f"public static let {field}Limit = {value}" for field, (value, _) in limits.items()]
        if limits:
            statics += listed("limits", "String: Int", [f'"{field}": {size}' for field, (_, size) in limits.items()])
        own = f"{name}.Reply"
        swift = self.names.get(own, own)
        after, inner = [], []
        if swift == own:
            inner = self.structure("Reply", "", reply, path=own)
        else:
            statics.insert(0, f"public typealias Reply = {swift}")
            if "." not in swift:
                methods = [f"`{key.removesuffix('.Reply')}`" for key, value in self.names.items() if value == swift]
                after = self.shared(swift, f"The reply of {joined(methods)}.", reply)
            elif reply not in [fields for other, _, _, fields in self.interface.methods if swift == f"{other}.Reply"]:
                self.interface.fail(f"the reply of {name} has other fields than {swift}")
        protocol = ("Repeatable" if "idempotencyKey" in parameters else "") + f"{self.kind}Method"
        return [self.structure(name, comment, parameters, protocol, statics, inner=inner), after, self.open_enum(name, comment)]

    def limits(self, method, comment, parameters):
        """Returns {parameter: (limit, limit in bytes)} as Swift expressions."""
        limits = {}
        for field, number, unit in re.findall(r"(\w+) (?:is|has) at most (\d+) (KiB(?= long)|MiB(?= long)|names)", comment):
            if field not in parameters:
                self.interface.fail(f"{method} has a limit for {field}, which is no parameter")
            if unit == "names":
                # An escape sequence takes at most 6 bytes for each byte of text. Each name adds two quotes and
                # a comma, and the list adds two brackets.
                limits[field] = (number, f"{field}Limit * ({self.title}Interface.shortLimit * 6 + 3) + 1")
            else:
                limits[field] = (f"{number} << {UNITS[unit]}", f"{field}Limit")
        if len(limits) != len(re.findall(r"at most \d+ (?:KiB|MiB|names)", comment)):
            self.interface.fail(f"a limit of {method} is not written like `NAME is at most 1 KiB long`")
        return limits

    def open_enum(self, method, comment):
        """Returns the enum for a field of the reply whose values the comment lists."""
        found = re.search(r"(\w+) is one of ([\w., ]+), or another", flat(comment))
        if not found:
            return []
        name = self.names[f"{method}.Reply.{found[1]}"]
        known = {word: re.sub(r"\.(\w)", lambda match: match[1].upper(), word) for word in found[2].split(", ")}
        return documented(f"The values of `{found[1]}` in replies of `{method}`.") + braced(
            f"public enum {name}: RawRepresentable, Codable, Hashable, Sendable",
            cases(known.values())
            + documented("A value that this version does not know.")
            + ["case unknown(String)", ""]
            + braced("public init(rawValue: String)", ["self ="] + indented(
                ["switch rawValue {", *(f'case "{word}": .{case}' for word, case in known.items()),
                 "default: .unknown(rawValue)", "}"]))
            + [""]
            + braced("public var rawValue: String", [
                "switch self {", *(f'case .{case}: "{word}"' for word, case in known.items()),
                "case .unknown(let value): value", "}"]))


def flat(comment):
    """Returns the comment in one line, without backquotes."""
    return re.sub(r"\s+", " ", comment.replace("`", ""))


def indented(lines):
    return [("    " + line).rstrip() for line in lines]


def braced(head, lines):
    return [head + " {"] + indented(lines) + ["}"]


def separated(blocks):
    """Returns the lines of the blocks that are not empty, with an empty line between two blocks."""
    return [line for block in blocks if block for line in ["", *block]][1:]


def filled(items):
    """Wraps a string, or a list of items that must not be split, into lines for a type within a type."""
    text = items if isinstance(items, str) else ", ".join(item.replace(" ", "\0") for item in items)
    return [line.replace("\0", " ") for line in textwrap.wrap(text, WIDTH - 12, break_long_words=False, break_on_hyphens=False)]


def cases(words):
    lines = filled("case " + ", ".join(words))
    return lines[:1] + indented(lines[1:])


def documented(comment):
    return [f"/// {line}".rstrip() for line in separated(
        [textwrap.wrap(paragraph, WIDTH - 8, break_on_hyphens=False) for paragraph in comment.split("\n\n")])]


def listed(name, element, items):
    head = f"public static let {name}: [{element}] = ["
    if len(items) < 2:
        return [head + "".join(items) + "]"]
    lines = filled(items)
    return [head] + indented(lines[:-1] + [lines[-1] + ","]) + ["]"]


def quoted(name):
    return f"`{name}`" if name == "private" else name


def joined(words):
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def main():
    check = sys.argv[1:] == ["--check"]
    root, stale, known = pathlib.Path(__file__).parent, [], {}
    for path in sorted(root.glob("*/*.varlink")):
        text = Writer(Interface(path), known.setdefault(path.parent, {})).text()
        output = path.parent / "Generated" / (path.stem + ".swift")
        if check and (not output.exists() or output.read_text() != text):
            stale.append(str(output))
        elif not check:
            output.parent.mkdir(exist_ok=True)
            output.write_text(text)
    if stale:
        sys.exit(f"{joined(stale)} is not current; run `make interfaces`")


main()

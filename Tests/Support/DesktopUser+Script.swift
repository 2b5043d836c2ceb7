extension DesktopUser {
    /// A Python script that reads one JSON command per line and replies to each command with one line.
    /// Requires Debian's python3 with python3-gi and gir1.2-atspi-2.0.
    static let script = #"""
        import json, sys, time, warnings
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi, GLib

        # Debian 12 lacks the successors of these deprecated functions.
        warnings.simplefilter("ignore")

        LIMIT, PROGRAM = float(sys.argv[1]), sys.argv[2]

        def walk(node, depth=0):
            yield node, depth
            try:
                count = node.get_child_count()
            except Exception:
                return
            for index in range(count):
                try:
                    child = node.get_child_at_index(index)
                except Exception:
                    continue
                if child is not None:
                    yield from walk(child, depth + 1)

        def roots():
            desktop = Atspi.get_desktop(0)
            for index in range(desktop.get_child_count()):
                program = desktop.get_child_at_index(index)
                if program is not None and program.get_name() == PROGRAM:
                    yield program

        def is_shown(node):
            try:
                box = node.get_extents(Atspi.CoordType.WINDOW)
                return box.width > 1 and box.height > 1
            except Exception:
                return False

        def is_enabled(node):
            return node.get_state_set().contains(Atspi.StateType.SENSITIVE)

        def text_of(node):
            try:
                text = node.get_text_iface()
                if text is not None:
                    return Atspi.Text.get_text(text, 0, Atspi.Text.get_character_count(text))
            except Exception:
                pass
            return ""

        def fits(node, target):
            role = target.get("role")
            if role and node.get_role_name() != role:
                return False
            words = [node.get_name() or "", node.get_description() or "", text_of(node)]
            return any(target["name"] in word for word in words)

        def places(frame):
            for program in roots():
                if frame is None:
                    yield program
                else:
                    for index in range(program.get_child_count()):
                        window = program.get_child_at_index(index)
                        if window is not None and window.get_name() == frame:
                            yield window

        def found(target):
            nodes = [n for p in places(target.get("frame")) for n, _ in walk(p) if fits(n, target) and is_shown(n)]
            # "Send" also occurs in "Cancel Sending": names that equal the text come first, then names that begin with it.
            def distance(node):
                words = [node.get_name() or "", text_of(node)]
                if target["name"] in words:
                    return 0
                return 1 if any(word.startswith(target["name"]) for word in words) else 2
            return sorted(nodes, key=distance)

        def tree():
            lines = []
            for program in roots():
                for node, depth in walk(program):
                    if depth < 2 or is_shown(node):
                        lines.append("%s%s %r %r" % (" " * depth, node.get_role_name(), node.get_name(), text_of(node)[:60]))
            return "\n".join(lines)

        def click(node):
            # A click inside a window must not run the actions of the window itself.
            while node is not None and node.get_role_name() != "frame":
                action = node.get_action_iface()
                if action is not None and Atspi.Action.get_n_actions(action) > 0:
                    Atspi.Action.do_action(action, 0)
                    return
                node = node.get_parent()
            raise RuntimeError("nothing to click")

        def fill(node, text):
            for inner, _ in walk(node):
                edit = inner.get_editable_text_iface()
                if edit is not None:
                    Atspi.EditableText.set_text_contents(edit, text)
                    return
            raise RuntimeError("nothing to type into")

        # X11 keysyms.
        KEYS = {"Tab": 0xff09, "Return": 0xff0d, "Escape": 0xff1b, "Down": 0xff54, "space": 0x20}

        def press(keys):
            for key in keys.split():
                Atspi.generate_keyboard_event(KEYS[key], None, Atspi.KeySynthType.SYM)

        # What a screen reader would speak: the name of each focused widget, and each new description.
        heard = []

        def hear(event):
            try:
                if event.type.startswith("object:state-changed:focused"):
                    if event.detail1:
                        heard.append(event.source.get_name() or "")
                elif isinstance(event.any_data, str):
                    heard.append(event.any_data)
            except Exception:
                pass

        def listen():
            listener = Atspi.EventListener.new(hear)
            for kind in ["state-changed:focused", "property-change:accessible-description"]:
                listener.register("object:" + kind)
            return listener

        listeners = []

        def heard_text(name):
            while GLib.MainContext.default().iteration(False):
                pass
            for index, text in enumerate(heard):
                if name in text:
                    del heard[:index + 1]
                    return text
            raise RuntimeError("heard: %s" % heard)

        def attempt(order):
            what = order["do"]
            if what == "listens":
                if not listeners:
                    listeners.append(listen())
                return ""
            if what == "hears":
                return heard_text(order["target"]["name"])
            if what == "tree":
                return tree()
            nodes = found(order["target"])
            if what == "lacks":
                return None if nodes else ""
            if what == "sees":
                return (nodes[0].get_name() or "") if nodes else None
            if what == "reads":
                return (text_of(nodes[0]) or nodes[0].get_name() or None) if nodes else None
            if what == "counts":
                return str(len(nodes))
            nodes = [n for n in nodes if is_enabled(n)]
            if not nodes:
                return None
            if what == "clicks":
                click(nodes[0])
            elif what == "presses":
                if not nodes[0].get_state_set().contains(Atspi.StateType.FOCUSED):
                    press("Tab")
                    return None
                press(order["text"])
            else:
                fill(nodes[0], order["text"])
            return ""

        def obey(order):
            deadline = time.monotonic() + LIMIT
            failure = ""
            while time.monotonic() < deadline:
                try:
                    answer = attempt(order)
                    if answer is not None:
                        return {"answer": answer}
                except Exception as error:  # A node that disappears is searched for again.
                    failure = repr(error)
                Atspi.Accessible.clear_cache(Atspi.get_desktop(0))
                time.sleep(0.05)
            return {"error": "%s never: %s\n%s" % (order, failure, tree())}

        Atspi.init()
        print("ready", flush=True)
        for line in sys.stdin:
            print(json.dumps(obey(json.loads(line))), flush=True)
        """#
}

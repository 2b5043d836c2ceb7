extension RecordingNotificationServer {
    /// A notification server in Python, which never reuses notification IDs. Requires Debian's python3 with
    /// python3-dbus and python3-gi.
    static let script = #"""
        import dbus, dbus.mainloop.glib, dbus.service, json, os, sys, time
        from gi.repository import GLib

        appearance = json.loads(sys.argv[1])
        NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"

        def tell(**record):
            print(json.dumps(record), flush=True)

        def text(value):
            if isinstance(value, dbus.Boolean):
                return "true" if value else "false"
            if isinstance(value, dbus.Byte):
                return str(int(value))
            return str(value)

        class Refused(dbus.DBusException):
            _dbus_error_name = "org.freedesktop.Notifications.Error.Refused"

        def fail_if_chosen(method):
            if method in appearance["failing"]:
                raise Refused("no " + method)

        class Server(dbus.service.Object):
            slow, refusal, race = 0.0, None, False
            next_id = appearance["firstID"]
            capabilities = appearance["capabilities"]

            @dbus.service.method(NAME, out_signature="ssss")
            def GetServerInformation(self):
                tell(described=True)
                fail_if_chosen("GetServerInformation")
                return appearance["name"], "cutied tests", "1", appearance["specVersion"]

            @dbus.service.method(NAME, out_signature="as")
            def GetCapabilities(self):
                fail_if_chosen("GetCapabilities")
                return dbus.Array(self.capabilities, signature="s")

            @dbus.service.method(
                NAME, in_signature="susssasa{sv}i", out_signature="u", async_callbacks=("answer", "fail"))
            def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout, answer, fail):
                at = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                if self.refusal is not None:
                    refusal, self.refusal = self.refusal, None
                    return fail(Refused(refusal))
                if self.race and replaces:
                    self.race = False
                    self.NotificationClosed(replaces, 2)
                id = int(replaces)
                if not id:
                    id, self.next_id = self.next_id, self.next_id + 1
                tell(notify=dict(
                    id=id, replaces=int(replaces), application=app, icon=icon, summary=summary, body=body,
                    actions=list(actions), hints={k: text(v) for k, v in hints.items()},
                    timeout=int(timeout), at=at))
                if self.slow:
                    GLib.timeout_add(int(self.slow * 1000), lambda: answer(dbus.UInt32(id)))
                else:
                    answer(dbus.UInt32(id))

            @dbus.service.method(NAME, in_signature="u")
            def CloseNotification(self, id):
                fail_if_chosen("CloseNotification")
                if id == 0:
                    return
                tell(close=int(id))
                self.NotificationClosed(id, 3)

            @dbus.service.signal(NAME, signature="uu")
            def NotificationClosed(self, id, reason): pass

            @dbus.service.signal(NAME, signature="us")
            def ActionInvoked(self, id, action): pass

            @dbus.service.signal(NAME, signature="us")
            def ActivationToken(self, id, token): pass

            @dbus.service.signal(NAME, signature="us")
            def NotificationReplied(self, id, text): pass

            def obey(self, line):
                number, verb, *rest = line.split(" ", 2)
                rest = rest[0] if rest else ""
                words = rest.split(" ")
                if verb == "action":
                    if len(words) > 2:
                        self.ActivationToken(dbus.UInt32(words[0]), words[2])
                    self.ActionInvoked(dbus.UInt32(words[0]), words[1])
                elif verb == "reply":
                    self.NotificationReplied(dbus.UInt32(words[0]), json.loads(rest.split(" ", 1)[1]))
                elif verb == "forge":
                    stranger = Server(dbus.SessionBus(private=True), PATH)
                    signal, id, text = rest.split(" ", 2)
                    text = json.loads(text)
                    value = dbus.UInt32(text) if signal == "NotificationClosed" else text
                    getattr(stranger, signal)(dbus.UInt32(id), value)
                    stranger.connection.flush()
                elif verb == "close":
                    self.NotificationClosed(dbus.UInt32(words[0]), dbus.UInt32(words[1]))
                elif verb == "caps":
                    self.capabilities = [word for word in rest.split(",") if word]
                elif verb == "slow":
                    self.slow = float(rest)
                elif verb == "refuse":
                    self.refusal = rest
                elif verb == "race":
                    self.race = True
                tell(obeyed=int(number))

        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        name = dbus.service.BusName(NAME, bus, do_not_queue=True)
        server = Server(bus, PATH)
        loop = GLib.MainLoop()
        pending = b""

        def read(source, condition):
            global pending
            chunk = os.read(0, 4096)
            if not chunk:
                loop.quit()
                return False
            *lines, pending = (pending + chunk).split(b"\n")
            for line in lines:
                server.obey(line.decode())
            return True

        GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, read)
        print("ready", flush=True)
        loop.run()
        """#
}

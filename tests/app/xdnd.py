"""Drops files on a window by the XDND protocol, version 5."""
import os
import time
import urllib.parse

from Xlib import X, Xatom, display
from Xlib.protocol import event


def drop(display_name, window_id, *files, timeout=5):
    server = display.Display(display_name)
    root = server.screen().root
    target = server.create_resource_object("window", int(window_id))
    source = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    atom = server.intern_atom
    uris = "".join("file://" + urllib.parse.quote(os.path.abspath(f)) + "\r\n" for f in files).encode()

    def send(name, *data):
        values = [source.id, *data, *[0] * (4 - len(data))]
        message = event.ClientMessage(window=target, client_type=atom(name), data=(32, values))
        target.send_event(message)
        server.flush()

    source.set_selection_owner(atom("XdndSelection"), X.CurrentTime)
    send("XdndEnter", 5 << 24, atom("text/uri-list"))
    origin = target.translate_coords(root, 0, 0)
    send("XdndPosition", 0, (-origin.x + 100) << 16 | (-origin.y + 100), X.CurrentTime, atom("XdndActionCopy"))
    send("XdndDrop", 0, X.CurrentTime)

    until = time.monotonic() + timeout
    while time.monotonic() < until:
        if not server.pending_events():
            time.sleep(0.01)
            continue
        got = server.next_event()
        if got.type == X.SelectionRequest:
            got.requestor.change_property(got.property, got.target, 8, uris)
            got.requestor.send_event(event.SelectionNotify(
                time=got.time, requestor=got.requestor, selection=got.selection, target=got.target, property=got.property))
            server.flush()
        elif got.type == X.ClientMessage and got.client_type == atom("XdndFinished"):
            return
    raise AssertionError("the window did not take what was dropped")

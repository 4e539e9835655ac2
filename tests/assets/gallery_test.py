"""The gallery has every built-in scene once, each with a picture and one sentence to try. Usage: gallery_test.py SOURCE"""
import json
import pathlib
import re
import sys

KEYS = {"scene", "picture", "try"}
LARGEST = 20_000  # bytes: all of them are part of every clone


def main(source):
    assets = pathlib.Path(source) / "assets"
    groups = json.loads((assets / "gallery.json").read_text())["groups"]
    entries = [entry for group in groups for entry in group["scenes"]]
    names = [entry["scene"] for entry in entries]
    assert all(group["name"] and group["scenes"] for group in groups)
    assert len(names) == len(set(names)), "a scene is in it twice"
    scenes = {file.stem for file in (assets / "scenes").glob("*.json")}
    assert set(names) == scenes, f"missing or unknown: {sorted(set(names) ^ scenes)}"
    schema = (assets / "scene.schema.json").read_text()
    for entry in entries:
        # An integrator's name stands for its key, which has one digit.
        for name in re.findall(r"{([^}]*)}", entry["try"]):
            assert f'"{name}"' in schema, f"no integrator: {name}"
        entry["try"] = re.sub(r"{[^}]*}", "1", entry["try"])
        assert set(entry) == KEYS and entry["picture"] > 0, entry
        assert entry["try"][0].isupper() and entry["try"][-1] in ".?", f"no sentence: {entry['try']}"
        assert len(entry["try"]) < 80, f"too long: {entry['try']}"
    pictures = {file.stem: file for file in (assets / "pictures").glob("*.jpg")}
    assert set(pictures) == scenes, f"tools/pictures.py gallery makes them: {sorted(set(pictures) ^ scenes)}"
    for name, file in pictures.items():
        data = file.read_bytes()
        assert data[:2] == b"\xff\xd8" and data[-2:] == b"\xff\xd9", f"{name}: no whole JPEG"
        assert len(data) < LARGEST, f"{name}: {len(data)} bytes"


if __name__ == "__main__":
    main(sys.argv[1])

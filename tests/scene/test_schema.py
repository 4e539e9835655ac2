"""Holds assets/scene.schema.json against the parser, both ways: test_schema.py PARSE_SCENE SOURCE_FOLDER"""
import copy
import functools
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bad_scenes import CHANGES, DELETE, GOOD, TEXTS  # noqa: E402

PARSER, SOURCE = map(os.path.abspath, sys.argv[1:3])
# Set elsewhere than in scene files, or said by another row with the same bounds.
NOT_IN_SCENES = {"threads", "contact.firmness", "wind.speed", "wind.angle", "grab.strength", "grab.radius", "grab.reach", "record.fps", "measure.starts", "record.width", "record.height", "material.density.springs"}
failures = []


def check(truth, what):
    if not truth:
        failures.append(what)


def without_comments(text):
    """JSON text without // and /* */, as editors with comments see it."""
    pattern = r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/'
    return re.sub(pattern, lambda match: match.group(1) or " ", text, flags=re.S)


def tokens(pointer):
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def changed(document, pointer, value):
    if pointer == "":
        return value
    document = copy.deepcopy(document)
    *way, last = [int(token) if token.isdigit() else token for token in tokens(pointer)]
    place = document
    for token in way:
        place = place[token]
    if value is DELETE:
        del place[last]
    else:
        place[last] = value
    return document


def parse(files):
    """What the parser says of each file, one line per file."""
    run = subprocess.run([PARSER, *files], capture_output=True, text=True, errors="replace", timeout=120)
    check(run.stderr == "", f"the parser wrote to stderr: {run.stderr[:300]}")
    lines = run.stdout.splitlines()
    if len(lines) != len(files):
        sys.exit(f"{len(files)} files gave {len(lines)} lines (exit {run.returncode}): the last is {lines[-1:]}")
    check(run.returncode == (0 if all(line == "ok" for line in lines) else 2), f"exit status {run.returncode}")
    return lines


def write(folder, name, text):
    file = os.path.join(folder, name)
    with open(file, "wb") as stream:
        stream.write(text)
    return file


def make_meshes(folder):
    for name in ("good.obj", "good.mesh"):
        write(folder, name, b"# not read here\n")
    write(folder, "empty.obj", b"")
    os.mkdir(os.path.join(folder, "folder.obj"))
    os.symlink("nowhere", os.path.join(folder, "dangling.obj"))
    os.mkfifo(os.path.join(folder, "pipe.obj"))


def ranged(schema, found):
    """Every part of the schema that names its row of the ranges."""
    if isinstance(schema, dict):
        if "x-range" in schema:
            found.append(schema)
        else:
            is_number = schema.get("type") in ("number", "integer") and schema.get("maximum") != 2147483646
            check(not is_number or "exclusiveMinimum" in schema, f"a number without x-range: {schema}")
        for part in schema.values():
            ranged(part, found)
    elif isinstance(schema, list):
        for part in schema:
            ranged(part, found)


def test_ranges(schema):
    rows = json.loads(subprocess.run([PARSER, "--ranges"], capture_output=True, check=True).stdout)
    found = []
    ranged(schema, found)
    for part in found:
        key = part["x-range"]
        row = rows[key]
        check((part["minimum"], part["maximum"]) == (row["min"], row["max"]), f"{key}: bounds differ from the schema's")
        check(part["type"] == ("integer" if row["whole"] else "number"), f"{key}: type differs from the schema's")
        check(part.get("default", row["default"]) == row["default"], f"{key}: default differs from the schema's")
        if "description" in part and row["unit"]:
            check(f"[{row['unit']}" in part["description"], f"{key}: the schema does not say its unit")
    missing = set(rows) - NOT_IN_SCENES - {part["x-range"] for part in found}
    check(not missing, f"ranges that the schema does not have: {missing}")
    same = ("min", "max")
    check(all(rows["material.density.springs"][k] == rows["material.density.cloth"][k] for k in same), "densities differ")
    return rows


def test_identifiers(schema):
    known = json.loads(subprocess.run([PARSER, "--known"], capture_output=True, check=True).stdout)
    part = lambda *way: set(functools.reduce(lambda place, key: place[key], way, schema)["enum"])
    check(part("properties", "integrator", "properties", "type") == set(known["integrators"]), "integrators differ")
    check(part("properties", "solver", "properties", "type") == set(known["solvers"]), "solvers differ")
    test_materials(schema, known["materials"], known["presets"])


def test_materials(schema, materials, presets):
    """The schema has each kind of elements as the table of materials has it, every number of every row included."""
    rows = json.loads(subprocess.run([PARSER, "--ranges"], capture_output=True, check=True).stdout)
    for elements, name, always in (("tetrahedra", "elastic", {"model", "preset", "density"}),
                                   ("triangles", "membrane", {"model", "preset", "density"}),
                                   ("edges", "springs", {"model", "preset", "density", "restLengths"})):
        part = schema["$defs"][name]
        of_kind = [row for row in materials if row["elements"] == elements]
        laws = {law for row in of_kind for law in row["laws"]}
        keys = {key for row in of_kind for key in row["ranges"]} | always | ({"law"} if laws else set())
        check(set(part["properties"]["model"]["enum"]) == {row["id"] for row in of_kind}, f"materials of {elements} differ")
        check(part["properties"]["preset"]["enum"] == presets[elements], f"presets of {elements} differ")
        check(part["properties"]["model"]["default"] == of_kind[0]["id"], f"the usual material of {elements} differs")
        check(set(part["properties"]) == keys, f"keys of materials of {elements} differ: {set(part['properties']) ^ keys}")
        check(set(part["properties"].get("law", {}).get("enum", [])) == laws, f"laws of materials of {elements} differ")
        validator = jsonschema.Draft202012Validator(part)
        for row in of_kind:
            for key, of in row["ranges"].items():
                low, high = rows[of]["min"], rows[of]["max"]
                for value, good in ((low, True), (high, True), (low - 1e-6 * (high - low), False), (high * 1.001, False)):
                    what = f"{row['id']}: {key} = {value}"
                    check(validator.is_valid({"model": row["id"], key: value}) == good, f"{what}: the schema differs")
    listed = sum(len(schema["$defs"][name]["properties"]["model"]["enum"]) for name in ("elastic", "springs", "membrane"))
    check(listed == len(materials), "a material is of elements that the schema does not have")


def test_docs(rows):
    with open(os.path.join(SOURCE, "docs/scene_format.md"), encoding="utf-8") as stream:
        text = stream.read()
    for key, row in rows.items():
        number = lambda value: re.sub(r"e([+-])0*", lambda m: "e" + m.group(1).replace("+", ""), f"{value:g}")
        bounds = f"| {number(row['min'])} to {number(row['max'])} |" if key != "seed" else "| 0 to 2^53 - 1 |"
        rows_of_key = [line for line in text.splitlines() if line.startswith(f"| `{key}` |")]
        check(any(bounds in line for line in rows_of_key), f"docs/scene_format.md lacks the row '| `{key}` {bounds}'")
    examples = re.findall(r"^```jsonc\n(.*?)^```", text, flags=re.S | re.M)
    return [json.loads(without_comments(example)) for example in examples]


def test_good(folder, validator, examples):
    scenes = dict(GOOD)
    scenes.update({f"docs{i}": example for i, example in enumerate(examples)})
    files = [write(folder, f"{name}.json", json.dumps(scene).encode()) for name, scene in scenes.items()]
    shipped = sorted(glob.glob(os.path.join(SOURCE, "assets/scenes/*.json")))
    for file, line in zip(files + shipped, parse(files + shipped)):
        check(line == "ok", f"a good scene was refused: {line}")
        with open(file, encoding="utf-8") as stream:
            document = json.loads(without_comments(stream.read()))
        for error in validator.iter_errors(document):
            check(False, f"{file}: the schema refuses a good scene: {error.message[:200]} at {list(error.absolute_path)}")
    # What the program writes is a scene, too.
    for file in files:
        run = subprocess.run([PARSER, "--write", file], capture_output=True, text=True, cwd=folder)
        check(run.returncode == 0 and validator.is_valid(json.loads(run.stdout)), f"{file}: does not write back: {run.stdout}")
    return len(files) + len(shipped)


def test_bad(folder, validator):
    documents = [changed(base, pointer, value) for base, pointer, value, *_ in CHANGES]
    files = [write(folder, f"bad{i}.json", json.dumps(document, indent=1).encode()) for i, document in enumerate(documents)]
    for file, line, document, change in zip(files, parse(files), documents, CHANGES):
        _, pointer, value, named, part, in_schema = change
        what = f"{pointer or '/'} = {str(value)[:40]}"
        place = re.escape(named or pointer)
        check(re.match(rf"{re.escape(file)}:\d+: {place}: ", line), f"{what}: the place is not named: {line[:300]}")
        check(part in line, f"{what}: '{part}' is not in: {line[:300]}")
        check(len(line) < 600, f"{what}: the message is long: {line[:300]}")
        if validator.is_valid(document) == in_schema:
            failures.append(f"{what}: the schema should {'refuse' if in_schema else 'not see'} this")
    return len(files)


def test_texts(folder):
    files = [write(folder, f"text{i}.json", text) for i, (text, _, _) in enumerate(TEXTS)]
    for file, line, (text, position, part) in zip(files, parse(files), TEXTS):
        check(line.startswith(f"{file}:{position}: ") and part in line, f"{text[:40]}: expected {position} '{part}': {line[:300]}")
    return len(files)


def main():
    with open(os.path.join(SOURCE, "assets/scene.schema.json"), encoding="utf-8") as stream:
        schema = json.load(stream)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    rows = test_ranges(schema)
    test_identifiers(schema)
    examples = test_docs(rows)
    with tempfile.TemporaryDirectory() as folder:
        make_meshes(folder)
        good = test_good(folder, validator, examples)
        bad = test_bad(folder, validator) + test_texts(folder)
    check(bad >= 100, "fewer than 100 bad scenes")
    for failure in failures:
        print("FAIL:", failure)
    print(f"{good} good scenes, {bad} bad ones, {len(rows)} ranges: {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()

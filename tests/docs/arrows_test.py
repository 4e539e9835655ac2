"""No folder of the physics looks up: arrows_test.py SOURCE_FOLDER

Each folder of src/sim may include those before it in this order, and the files that lie in src/sim itself may include
all of them."""
import os
import re
import sys

ORDER = ["base", "linear", "energy", "constraint", "collide", "model", "contact", "step", "integrate", "damp", ""]
SIM = os.path.join(os.path.abspath(sys.argv[1]), "src", "sim")
INCLUDE = re.compile(r'^#include "sim/([^"]+)"', re.M)

folders = sorted(name for name in os.listdir(SIM) if os.path.isdir(os.path.join(SIM, name)))
wrong = [f"src/sim/{name} has no place in the order" for name in folders if name not in ORDER]
arrows = 0
for root, _, names in os.walk(SIM):
    folder = os.path.relpath(root, SIM).replace(".", "", 1) if root == SIM else os.path.relpath(root, SIM)
    for name in names:
        if not name.endswith((".hpp", ".cpp", ".inl")) or folder not in ORDER:
            continue
        with open(os.path.join(root, name), encoding="utf-8") as file:
            for included in INCLUDE.findall(file.read()):
                arrows += 1
                if ORDER.index(os.path.dirname(included)) > ORDER.index(folder):
                    wrong.append(f"src/sim/{os.path.join(folder, name)} looks up to sim/{included}")
if arrows < 200:
    wrong.append(f"only {arrows} includes were seen, so the test looked in the wrong place")
print("\n".join(wrong) if wrong else f"{arrows} includes, none of them upwards")
sys.exit(1 if wrong else 0)

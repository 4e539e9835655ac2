#!/usr/bin/env python3
"""The manual page and the shells' completions, held against what the program itself says that it understands."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from commands_test import PROGRAM, rebound  # noqa: E402

COMMANDS = ("run", "check", "list", "record", "bench", "measure", "reproduce")


def options_of(*command):
    """Those that the help names, long ones."""
    return re.findall(r"^  (?:-\w,)?(--[a-z-]+)", rebound(*command, "--help").stdout, re.M)


class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        made = rebound("documents", cls.folder.name)
        assert made.returncode == 0, made.stderr
        cls.scenes = [s["id"] for s in json.loads(rebound("list", "scenes", "--json").stdout)]

    def at(self, path):
        return os.path.join(self.folder.name, path)

    def text(self, path):
        with open(self.at(path)) as file:
            return file.read()

    def test_the_help_names_every_command_and_not_this_one(self):
        said = rebound("--help").stdout
        self.assertEqual(tuple(re.findall(r"^  ([a-z]+) ", said.split("Subcommands:")[1], re.M)), COMMANDS)

    def test_the_manual_has_every_option_of_every_command(self):
        page = self.text("man/man1/rebound.1").replace("\\-", "-")
        for command in COMMANDS:
            section = page.split(f".SS \\fBrebound {command}\\fR")[1].split("\n.S")[0]
            shared = page.split(".SH OPTIONS FOR SCENES")[1].split(".SH SCENES")[0]
            options = options_of(command)
            self.assertGreater(len(options), 1)
            for option in options:
                if option != "--help":
                    self.assertIn(f"\\fB{option}\\fR", section + shared, command)
        for scene in self.scenes:
            self.assertIn(scene, page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_the_manual_is_good_roff(self):
        said = subprocess.run(["groff", "-man", "-Tutf8", "-ww", self.at("man/man1/rebound.1")], capture_output=True,
                              text=True)
        self.assertEqual(said.stderr, "")
        self.assertIn("NAME", said.stdout)

    def bash(self, *words):
        script = f"""source {self.at("bash-completion/completions/rebound")}
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rebound; printf '%s\\n' "${{COMPREPLY[@]}}" """
        said = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True, check=True,
                              cwd=self.folder.name)
        self.assertEqual(said.stderr, "")
        return sorted(said.stdout.split())

    def test_bash_completes_what_the_help_names(self):
        self.assertEqual(self.bash("rebound", "m"), ["man", "measure", "moebius-ball"])  # a folder here, a command and a scene
        self.assertEqual(self.bash("rebound", "swinging-b"), ["swinging-bunny"])
        for command in COMMANDS:
            offered = self.bash("rebound", command, "--")
            self.assertEqual([o for o in offered if o.startswith("--")], sorted(options_of(command)), command)
        self.assertEqual(self.bash("rebound", "list", "sc"), ["scenes"])
        self.assertEqual(self.bash("rebound", "run", "--integrator", "stab"), ["stabilized"])
        self.assertEqual(self.bash("rebound", "record", "spinning-cube", "--compare", "stabilized,backw"),
                         ["stabilized,backward-euler"])
        self.assertEqual(self.bash("rebound", "run", "--meshes", "ma"), ["man"])
        self.assertEqual(self.bash("rebound", "run", "--frames", ""), [])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes_what_the_help_names(self):
        def fish(line):
            said = subprocess.run(["fish", "--no-config", "-c",
                                   f"source {self.at('fish/vendor_completions.d/rebound.fish')}; complete -C '{line}'"],
                                  capture_output=True, text=True, check=True, cwd=self.folder.name,
                                  env={**os.environ, "HOME": self.folder.name})
            self.assertEqual(said.stderr, "")
            return sorted(row.split("\t")[0] for row in said.stdout.splitlines())
        for command in COMMANDS:
            self.assertEqual(fish(f"rebound {command} --"), sorted(options_of(command)), command)
        self.assertIn("record", fish("rebound rec"))
        self.assertIn("swinging-bunny", fish("rebound run swinging-b"))
        self.assertEqual(fish("rebound run --integrator stab"), ["stabilized"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_takes_its_completions(self):
        # What _arguments is given is what would be offered: the line editor itself needs a terminal.
        script = """_arguments() { print -rl -- "$@"; }
            words=(${(z)1}); CURRENT=${#words}; source $2"""
        for command in COMMANDS:
            said = subprocess.run(["zsh", "-f", "-c", script, "zsh", f"rebound {command} --x",
                                   self.at("zsh/site-functions/_rebound")], capture_output=True, text=True)
            self.assertEqual((said.returncode, said.stderr), (0, ""))
            offered = [line.split("[")[0] for line in said.stdout.splitlines() if line.startswith("--")]
            self.assertEqual(sorted(offered), sorted(options_of(command)), command)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Packs the program for Debian and unpacks it into an empty folder: what is in it, what it depends on, and that it works
from there."""
import glob
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

CPACK, BUILD = sys.argv[1:3]
del sys.argv[1:3]


def run(*command, **options):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("REBOUND_") and k != "DISPLAY"}
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=environment, **options)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        run(CPACK, "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-G", "DEB", "-B", cls.folder.name)
        cls.package, = glob.glob(os.path.join(cls.folder.name, "rebound_*.deb"))
        cls.root = os.path.join(cls.folder.name, "root")
        run("dpkg-deb", "-x", cls.package, cls.root)

    def at(self, *path):
        return os.path.join(self.root, "usr", *path)

    def text(self, *path):
        file = self.at(*path)
        with gzip.open(file, "rt") if file.endswith(".gz") else open(file) as opened:
            return opened.read()

    def test_it_depends_on_what_it_needs(self):
        depends = run("dpkg-deb", "-f", self.package, "Depends")
        # Linked, opened by name, and read.
        for package in ("libcholmod3", "libglfw3", "libc6", "libtet1.5", "libgl1", "fonts-inter", "libopenblas0"):
            self.assertIn(package, depends)
        self.assertIn("ffmpeg", run("dpkg-deb", "-f", self.package, "Recommends"))

    def test_it_has_the_program_and_nothing_for_who_builds(self):
        names = run("dpkg-deb", "-c", self.package).splitlines()
        for line in names:
            self.assertIn("root/root", line)
            self.assertTrue(line.split()[-1].startswith("./usr/") or line.split()[-1] in ("./", "./usr/"), line)
            self.assertNotRegex(line, r"\.(hpp|a|cmake)$")

    def test_it_works_from_where_it_stands(self):
        program = self.at("bin", "rebound")
        self.assertIn("swinging-bunny", run(program, "list", "scenes", cwd=self.root))
        self.assertIn("ok", run(program, "check", "spinning-cube", cwd=self.root))
        bunny = self.at("share", "rebound", "meshes", "bunny.obj")
        said = run(program, "check", bunny, "--set", '/bodies/0/mesh/tetrahedralize={"method": "tetgen"}', cwd=self.root)
        self.assertIn("follow the surface exactly", said)
        if shutil.which("ffmpeg"):
            run(program, "record", "spinning-cube", "--frames", 3, "--size", "160x120", "-o", "v.mkv", cwd=self.root)
            self.assertGreater(os.path.getsize(os.path.join(self.root, "v.mkv")), 1000)

    def test_the_desktop_knows_it(self):
        entry = self.text("share", "applications", "rebound.desktop")
        self.assertIn("Exec=rebound %f\n", entry)
        self.assertIn("Icon=rebound\n", entry)
        self.assertTrue(os.path.exists(self.at("share", "icons", "hicolor", "scalable", "apps", "rebound.svg")))
        kind = xml.etree.ElementTree.parse(self.at("share", "mime", "packages", "rebound.xml")).getroot()
        mime = "{http://www.freedesktop.org/standards/shared-mime-info}"
        self.assertIn(kind.find(mime + "mime-type").get("type"), entry)
        # A run begins as the type says.
        magic = kind.find(f".//{mime}match").get("value")
        saved = os.path.join(self.folder.name, "a.run")
        run(self.at("bin", "rebound"), "run", "spinning-cube", "--frames", 2, "--save-run", saved)
        with open(saved) as file:
            self.assertTrue(file.read(len(magic)) == magic)

    def test_documents_are_where_debian_looks(self):
        self.assertIn(".SH EXIT STATUS", self.text("share", "man", "man1", "rebound.1.gz"))
        self.assertIn("complete -F", self.text("share", "bash-completion", "completions", "rebound"))
        self.assertIn("#compdef rebound", self.text("share", "zsh", "vendor-completions", "_rebound"))
        self.assertIn("complete -c", self.text("share", "fish", "vendor_completions.d", "rebound.fish"))
        copyright = self.text("share", "doc", "rebound", "copyright")
        for licence in ("Apache-2.0", "GPL-3.0+", "AGPL-3.0+", "CHOLMOD", "TetGen"):
            self.assertIn(licence, copyright)

    @unittest.skipUnless(shutil.which("lintian"), "lintian is not installed")
    def test_lintian_finds_no_error(self):
        said = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", "--suppress-tags", "bogus-mail-host",
                               self.package], capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)


if __name__ == "__main__":
    unittest.main()

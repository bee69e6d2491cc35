"""Makes releases of a small checkout. usage: release_test.py <source> <folder>. Exit status 77: git is not installed."""
import os
import shutil
import subprocess
import sys
import unittest

if shutil.which("git") is None:
    print("skipped: git is not installed")
    sys.exit(77)

SOURCE, FOLDER = sys.argv[1:]
CHANGELOG = "# Changelog\n\n## Unreleased\n\n### Added\n- A thing.\n"


def git(*words):
    done = subprocess.run(["git", "-C", FOLDER, "-c", "user.name=me", "-c", "user.email=me@here", *words], capture_output=True, text=True, check=True)
    return done.stdout


def release(*words):
    names = {f"GIT_{who}_{what}": "me" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run([sys.executable, os.path.join(FOLDER, "scripts", "release.py"), *words], capture_output=True, text=True,
                          env={**os.environ, **names, "PYTHONDONTWRITEBYTECODE": "1"})
    assert len(done.stderr.splitlines()) == (1 if done.returncode else 0), done.stderr
    return done


def text(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


class Release(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        shutil.copytree(os.path.join(SOURCE, "scripts", "common"), os.path.join(FOLDER, "scripts", "common"),
                        ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(os.path.join(SOURCE, "scripts", "release.py"), os.path.join(FOLDER, "scripts"))
        for name, content in (("CHANGELOG.md", CHANGELOG), ("CITATION.cff", "title: x\nversion: 0.1.0\nlicense: MIT\n"),
                              ("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(simrun VERSION 0.1.0 LANGUAGES CXX)\n")):
            with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
                file.write(content)
        git("init", "-q")
        git("add", "-A")
        git("commit", "-q", "-m", "all")

    def refused(self, status, word, *words):
        before = git("log", "--oneline"), git("tag"), git("status", "--porcelain")
        done = release(*words)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(word, done.stderr)
        self.assertEqual((git("log", "--oneline"), git("tag"), git("status", "--porcelain")), before)

    def change(self, name, old, new):
        content = text(name)
        self.assertIn(old, content)
        with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
            file.write(content.replace(old, new, 1))
        git("commit", "-q", "-a", "-m", "change")

    def test_files_commit_and_tag_name_the_version(self):
        self.assertEqual(release("0.1.0").returncode, 0)  # the first one may be what the files say
        self.change("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n- Another.\n")
        self.assertEqual(release("0.2.0").returncode, 0)
        self.assertEqual(git("tag").split(), ["v0.1.0", "v0.2.0"])
        self.assertEqual(git("status", "--porcelain"), "")
        self.assertEqual(git("rev-parse", "v0.2.0^{}"), git("rev-parse", "HEAD"))
        self.assertEqual(git("tag", "-l", "--format=%(contents)", "v0.2.0").strip(), "simrun 0.2.0\n\n- Another.")
        self.assertIn("project(simrun VERSION 0.2.0 LANGUAGES", text("CMakeLists.txt"))
        self.assertRegex(text("CITATION.cff"), r"\nversion: 0\.2\.0\ndate-released: \d{4}-\d\d-\d\d\nlicense: MIT\n$")
        self.assertRegex(text("CHANGELOG.md"), r"## Unreleased\n\n## 0\.2\.0 - [-\d]+\n- Another\.\n\n## 0\.1\.0 - [-\d]+\n\n### Added\n- A thing\.\n$")
        self.assertEqual(release("--notes", "0.1.0").stdout, "### Added\n- A thing.\n")
        self.assertEqual(release("--check").stdout, "0.2.0\n")

    def test_what_is_missing_is_named_and_nothing_is_changed(self):
        self.refused(1, "0.0.9", "0.0.9")
        self.refused(1, "expected a version", "1.2")
        self.refused(1, "expected a version", "--check", "1.2.0")
        self.refused(1, "1.0.0", "--notes", "1.0.0")
        self.assertEqual(release("0.1.0").returncode, 0)
        self.refused(1, "expected more than 0.1.0", "0.1.0")
        self.refused(1, "is empty", "0.2.0")
        self.change("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n- Another.\n")
        with open(os.path.join(FOLDER, "CITATION.cff"), "a", encoding="utf-8") as file:
            file.write("\n")
        self.refused(1, "not committed", "0.2.0")
        self.change("CITATION.cff", "version: 0.1.0", "version: 0.1.1")
        self.refused(1, "CITATION.cff has 0.1.1", "0.2.0")
        self.refused(1, "CITATION.cff has 0.1.1", "--check")
        git("tag", "v0.1.1")
        self.change("CITATION.cff", "version: 0.1.1", "version: 0.1.0")
        git("tag", "v0.3.0")
        self.refused(1, "v0.3.0", "--check")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""A command line whose errors are one line and end with the status 1, and whose values may begin with a minus."""
import argparse
import re
import sys


class Parser(argparse.ArgumentParser):
    def __init__(self, **settings):
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **settings)

    def error(self, message):
        self.exit(1, f"{self.prog}: {message}\n")

    def parse_args(self):
        """--camera -1,0,0:0,0,0 is --camera=-1,0,0:0,0,0, which argparse would not see."""
        words = []
        for word in sys.argv[1:]:
            if words and words[-1].startswith("--") and "=" not in words[-1] and re.match(r"-[\d.]", word):
                words[-1] += "=" + word
            else:
                words.append(word)
        return super().parse_args(words)

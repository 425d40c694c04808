"""What the manual shows of Numba and CuPy, as it is printed there: both make PTX without a GPU.

Variables: MANUAL is the page, PTXAS the assembler.
"""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import ptxasw


def recipe(name):
    page = Path(os.environ["MANUAL"]).read_text()
    return re.search(f"<!-- recipe: {name} -->\n```python\n(.*?)```", page, re.DOTALL)[1]


class Makers(unittest.TestCase):
    def check(self, name):
        made = {}
        exec(compile(recipe(name), name, "exec"), made)
        self.assertEqual(made["faster"].count("shfl.sync"), 2, made["faster"])
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "k.ptx").write_text(made["faster"])
            command = [os.environ["PTXAS"], "-arch=sm_80", "k.ptx", "-o", "k.cubin"]
            subprocess.run(command, cwd=folder, check=True)

    def test_numba(self):
        self.check("numba")

    def test_nvrtc(self):
        self.check("nvrtc")


if __name__ == "__main__":
    unittest.main()

"""The module `ptxasw` of an installed wheel. The variable KERNELS is the folder `ptx-tests/kernelgen`."""

import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import ptxasw

KERNELS = Path(os.environ["KERNELS"])
JACOBI = (KERNELS / "jacobi.sm_80.ptx").read_text()
BROKEN = JACOBI.replace(".visible .entry", ".visible .entree")


class Rewrite(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("error")

    def test_program_of_the_wheel(self):
        self.assertEqual(ptxasw.program().parent, Path(sys.executable).parent)
        said = subprocess.run([sys.executable, "-m", "ptxasw", "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout.split(), ["ptxasw", ptxasw.__version__])

    def test_rewritten_as_by_the_command(self):
        new = ptxasw.rewrite(JACOBI, "sm_80", profit="always", passes=["memory", "shuffle"], verify=True)
        self.assertEqual(new.count("shfl.sync"), 6)
        command = [ptxasw.program(), "opt", "-", "-q", "--profit", "always"]
        said = subprocess.run(command, input=JACOBI, capture_output=True, text=True, check=True)
        self.assertEqual(new, said.stdout)

    def test_targets(self):
        for arch in ["sm_80", (8, 0), "sm_90a", None]:
            self.assertEqual(ptxasw.rewrite(JACOBI, arch), JACOBI)
        # On Pascal shuffles pay.
        self.assertIn("shfl.sync", ptxasw.rewrite(JACOBI.replace("sm_80", "sm_60"), (6, 0)))
        for arch in ["80", "compute_80", "sm_80,sm_90"]:
            with self.assertRaisesRegex(ValueError, "names|no target"):
                ptxasw.rewrite(JACOBI, arch)

    def test_bytes_of_nvrtc(self):
        text = JACOBI.encode() + b"\0"
        self.assertEqual(ptxasw.rewrite(text), JACOBI)
        with self.assertRaises(TypeError):
            ptxasw.rewrite(None)

    def test_options(self):
        self.assertEqual(ptxasw.rewrite(JACOBI, profit=None, stats=False, max_live=8), JACOBI)
        with self.assertRaisesRegex(ValueError, "--no-such-thing"):
            ptxasw.rewrite(JACOBI, no_such_thing=True)
        with self.assertRaisesRegex(ValueError, "invalid value 'often' for '--profit"):
            ptxasw.rewrite(JACOBI, profit="often")

    def test_a_broken_module_stays(self):
        with self.assertWarnsRegex(ptxasw.RewriteWarning, "stays as it was: "):
            self.assertEqual(ptxasw.rewrite(BROKEN), BROKEN)
        with self.assertRaisesRegex(ptxasw.NotRewritten, r"entree"):
            ptxasw.rewrite(BROKEN, strict=True)

    def test_bytes_that_are_no_text_stay(self):
        odd = JACOBI.encode() + b"// \xff\xfe\n"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual(ptxasw.rewrite(odd).encode("utf-8", "surrogateescape"), odd)

    def test_a_slow_program_is_not_waited_for(self):
        with self.assertRaisesRegex(ptxasw.NotRewritten, "more than 0.0001 s"):
            ptxasw.rewrite(JACOBI, strict=True, timeout=0.0001)

    def test_verdicts(self):
        report = ptxasw.explain(JACOBI, (8, 0), profit="always")
        self.assertEqual((report["format"], report["version"]), (3, ptxasw.__version__))
        [kernel] = report["kernels"]
        self.assertEqual((kernel["name"], kernel["loads"], kernel["fates"]["loads"]["LoadBecomesShuffle"]), ("jacobi", 9, 6))
        self.assertEqual(kernel["verdict"]["word"], "changed")
        self.assertTrue(kernel["verdict"]["line"].startswith("jacobi: changed; 6 of 9 loads shuffled"))
        [kernel] = ptxasw.explain(JACOBI.encode() + b"\0")["kernels"]
        self.assertEqual(kernel["verdict"]["word"], "unchanged")
        self.assertIsNotNone(kernel["verdict"]["why"])
        with self.assertRaisesRegex(ptxasw.NotExplained, "entree"):
            ptxasw.explain(BROKEN)
        with self.assertRaisesRegex(ValueError, "--no-such-thing"):
            ptxasw.explain(JACOBI, no_such_thing=True)
        with self.assertRaisesRegex(ptxasw.NotExplained, "more than 0.0001 s"):
            ptxasw.explain(JACOBI, timeout=0.0001)

    def test_estimates(self):
        # An assembler is not everywhere: then it is said why there is none.
        for kernel in ptxasw.explain(JACOBI, "sm_80", profit="always", estimate=True)["kernels"]:
            verdict = kernel["verdict"]
            self.assertNotEqual(verdict["estimate"] is None, verdict["no_estimate"] is None)

    def test_settings_of_the_folder(self):
        # As for every other way of calling ptxasw.
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "ptxasw.toml").write_text('profit = "always"\n')
            os.chdir(folder)
            try:
                self.assertIn("shfl.sync", ptxasw.rewrite(JACOBI))
                self.assertEqual(ptxasw.rewrite(JACOBI, config="none"), JACOBI)
            finally:
                os.chdir(before)


if __name__ == "__main__":
    unittest.main()

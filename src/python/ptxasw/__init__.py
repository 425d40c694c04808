"""PTX in, faster PTX out: the program ``ptxasw``, called from Python.

Numba, CuPy and NVRTC make PTX while a program runs, and no assembler of a toolkit is called for it. There :func:`rewrite` is what
the drop-in assembler is elsewhere, and :func:`explain` tells what it does and why not more.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import warnings
from importlib import metadata
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Tuple, Type, Union

__all__ = ["NotExplained", "NotRewritten", "RewriteWarning", "__version__", "explain", "program", "rewrite"]

__version__ = metadata.version("ptxasw")

#: The exit code of a command line that makes no sense.
_USAGE = 2

Option = Union[bool, int, str, Iterable[str], None]


class NotRewritten(RuntimeError):
    """A module could not be rewritten; the text is what the program said."""


class NotExplained(RuntimeError):
    """Nothing can be told of a module; the text is what the program said."""


class RewriteWarning(UserWarning):
    """A module could not be rewritten, and was handed back as it was."""


def program() -> Path:
    """The program that was installed with this package, else the one on ``PATH``.

    Raises:
        FileNotFoundError: there is none.
    """
    name = "ptxasw" + (sysconfig.get_config_var("EXE") or "")
    for folder in _folders():
        if (found := folder / name).is_file():
            return found
    if found := shutil.which(name):
        return Path(found)
    raise FileNotFoundError(f"{name} is neither beside {Path(__file__).parent} nor on PATH")


def rewrite(
    ptx: Union[str, bytes],
    arch: Union[str, Tuple[int, int], None] = None,
    *,
    strict: bool = False,
    timeout: Optional[float] = None,
    **options: Option,
) -> str:
    """Rewrites a PTX module.

    Args:
        ptx: the module. NUL characters at its end, as NVRTC hands over, are left out.
        arch: the GPU that it will run on, as ``"sm_90"`` or as ``(9, 0)``; by default the module's own target.
        strict: raise an exception where the module cannot be rewritten. By default it is handed back as it was, with a
            :class:`RewriteWarning`.
        timeout: seconds, after which the module counts as one that cannot be rewritten.
        options: those of ``ptxasw opt``, with ``_`` for ``-``: ``profit="always"``, ``loads="off"``,
            ``passes=["memory", "scalar"]``, ``verify=True``. What is ``False`` or ``None`` is left out.

    Returns:
        The rewritten module. What is not known to be faster is in it as it was, byte for byte.

    Raises:
        TypeError: ``ptx`` is no text.
        ValueError: ``arch`` names no target; an option is unknown, or has a value that it does not take.
        NotRewritten: with ``strict``, the module cannot be rewritten.
    """
    original = _text(ptx)
    try:
        return _printed(["opt", "-", "--output", "-"], original, arch, options, timeout, NotRewritten)
    except NotRewritten as error:
        if strict:
            raise
        warnings.warn(f"the module stays as it was: {error}", RewriteWarning, stacklevel=2)
        return original


def explain(
    ptx: Union[str, bytes],
    arch: Union[str, Tuple[int, int], None] = None,
    *,
    estimate: bool = False,
    timeout: Optional[float] = None,
    **options: Option,
) -> Dict[str, Any]:
    """Tells what :func:`rewrite` does to a PTX module, and why not more.

    Args:
        ptx, arch: as of :func:`rewrite`.
        estimate: estimate how much faster each kernel becomes. That executes a launch of it on the CPU, and takes longer than all else.
        timeout: seconds, after which the module counts as one of which nothing can be told.
        options: those of ``ptxasw explain``, as of :func:`rewrite`.

    Returns:
        What ``ptxasw explain --json`` prints. ``["kernels"]`` is a list with a dictionary for each function: its ``name``, the numbers of its
        ``loads`` and ``stores``, their ``fates``, and its ``verdict``: one ``word`` (``"faster"``, with ``estimate`` only, ``"changed"``, ``"unchanged"`` or
        ``"declined"``), the ``line`` that the program prints, and ``why`` it is unchanged.

    Raises:
        TypeError: ``ptx`` is no text.
        ValueError: ``arch`` names no target; an option is unknown, or has a value that it does not take.
        NotExplained: the module cannot be read.
    """
    words = ["explain", "-", "--json", *([] if estimate else ["--no-estimate"])]
    return json.loads(_printed(words, _text(ptx), arch, options, timeout, NotExplained))


def _printed(
    words: List[str],
    ptx: str,
    arch: Union[str, Tuple[int, int], None],
    options: Dict[str, Option],
    timeout: Optional[float],
    failure: Type[RuntimeError],
) -> str:
    """What the program prints on a module; where it fails, ``failure`` with its message."""
    words = [*words, "--quiet", "--color", "never", *_words(options)]
    if arch is not None:
        words += ["--arch", _target(arch)]
    try:
        done = subprocess.run(
            [program(), *words],
            input=ptx.encode("utf-8", "surrogateescape"),
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise failure(f"ptxasw took more than {timeout} s") from None
    except OSError as error:
        raise failure(f"ptxasw cannot be called: {error}") from error
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode == _USAGE:
        raise ValueError(said.removeprefix("error: ").split("\n\n")[0])
    if done.returncode != 0:
        raise failure(said or f"ptxasw ended with {done.returncode}")
    return done.stdout.decode("utf-8", "surrogateescape")


def _folders() -> Iterable[Path]:
    """Where an installer puts programs: ``bin`` beside the package (``pip --target``), the environment's, the user's."""
    yield Path(__file__).parent.parent / "bin"
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", scheme=f"{os.name}_user"))


def _text(ptx: Union[str, bytes]) -> str:
    if isinstance(ptx, (bytes, bytearray, memoryview)):
        ptx = bytes(ptx).decode("utf-8", "surrogateescape")
    if not isinstance(ptx, str):
        raise TypeError(f"PTX is str or bytes, not {type(ptx).__name__}")
    return ptx.rstrip("\0")


def _target(arch: Union[str, Tuple[int, int]]) -> str:
    name = arch if isinstance(arch, str) else "sm_{}{}".format(*arch)
    if not re.fullmatch(r"sm_\d+[a-z]?", name):
        raise ValueError(f"{arch!r} is no target: expected a name such as 'sm_90', or (9, 0)")
    return name


def _words(options: dict) -> Iterable[str]:
    """Keywords as options of the command line."""
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield option
        elif isinstance(value, (str, int, os.PathLike)):
            yield f"{option}={value}"
        else:
            yield f"{option}={','.join(value)}"


def _main() -> int:
    """``python -m ptxasw``: the program itself."""
    command = [str(program()), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.call(command)

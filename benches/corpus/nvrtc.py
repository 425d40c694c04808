"""NVRTC as a compiler of files.

usage: nvrtc.py LIBRARY SOURCE OUTPUT OPTION...        its log goes to standard error
"""

import ctypes
import sys
from pathlib import Path


def compile_source(library, source, options):
    """PTX, and what the compiler said."""
    nvrtc = ctypes.CDLL(library)
    program = ctypes.c_void_p()
    text = source.read_bytes()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, source.name.encode(), 0, None, None)
    words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    failed = nvrtc.nvrtcCompileProgram(program, len(options), words)
    log = fetched(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program)
    return None if failed else fetched(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program), log


def fetched(size_of, get, program):
    """A text, without the NUL at its end."""
    size = ctypes.c_size_t()
    size_of(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    get(program, buffer)
    return buffer.value


if __name__ == "__main__":
    library, source, output, *options = sys.argv[1:]
    ptx, log = compile_source(library, Path(source), options)
    sys.stderr.buffer.write(log)
    if ptx is None:
        sys.exit(1)
    Path(output).write_bytes(ptx)

"""Machine code of PTX, by an assembler that a toolchain names."""

def _ptx_toolchain(ctx):
    return [platform_common.ToolchainInfo(assembler = ctx.file.assembler)]

ptx_toolchain = rule(
    implementation = _ptx_toolchain,
    doc = "An assembler with the arguments of `ptxas`.",
    attrs = {"assembler": attr.label(mandatory = True, allow_single_file = True)},
)

def _cubin(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cubin")
    words = ctx.actions.args()
    words.add("-arch=" + ctx.attr.arch)
    words.add_all(ctx.attr.options)
    words.add(ctx.file.src)
    words.add("-o", out)
    ctx.actions.run(
        executable = ctx.toolchains["//:ptx"].assembler,
        inputs = [ctx.file.src],
        outputs = [out],
        arguments = [words],
        mnemonic = "Ptxas",
    )
    return [DefaultInfo(files = depset([out]))]

cubin = rule(
    implementation = _cubin,
    doc = "Assembles one file for one architecture. Options are the assembler's; those of ptxasw begin with `--ptxasw-`.",
    attrs = {
        "src": attr.label(mandatory = True, allow_single_file = [".ptx"]),
        "arch": attr.string(mandatory = True),
        "options": attr.string_list(),
    },
    toolchains = ["//:ptx"],
)

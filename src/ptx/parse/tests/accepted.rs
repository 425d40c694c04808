//! What parses, and how.

use super::*;

#[test]
fn header() {
    let m = module(".version 8.5\n.target sm_30, debug\n.address_size 64\n");
    assert_eq!(
        directives(&m),
        [".version 8.5", ".target sm_30, debug", ".address_size 64"]
    );
    let m = module(".version 1.4 .target sm_10, map_f64_to_f32 .entry k {}");
    assert_eq!(
        directives(&m),
        [".version 1.4", ".target sm_10, map_f64_to_f32"]
    );
    assert_eq!(functions(&m).len(), 1);
}

#[test]
fn nul_line_ends_and_comments() {
    let text = ".version 8.5\r\n/* a\n\"b\" */ .target sm_90 // c {\r\n.entry k() {\r\n  ret; /* } */\r\n}\r\n\0";
    let m = module(text);
    assert_eq!(directives(&m), [".version 8.5", ".target sm_90"]);
    assert_eq!(functions(&m).len(), 1);
    assert_eq!(module("").items.len(), 0);
    assert_eq!(module("// no line end").items.len(), 0);
    assert_eq!(module("# 1 \"k.cu\"\n#line 2 \"k.cu\"\n").items.len(), 0);
}

#[test]
fn several_modules() {
    let one = ".version 8.5\n.target sm_90\n.entry k() { ret; }\n\0";
    assert_eq!(module(&one.repeat(3)).items.len(), 9);
}

#[test]
fn bytes_that_are_not_utf8() {
    let text = b"// \xff\xfe\n.file 1 \"\xe9.cu\"\n.entry k() { ret; }";
    assert_eq!(parse(text).expect("parses").items.len(), 2);
}

#[test]
fn linkage() {
    let m = module(
        ".visible .entry a() {}\n.extern .func b;\n.weak .visible .func c() {}\n.common .global .b32 d;\n\
         .extern .shared .align 16 .b8 e[];\n.visible .const .f32 f = 0f3F800000;",
    );
    let flags: Vec<_> = functions(&m).iter().map(|f| f.linkage.0).collect();
    assert_eq!(
        flags,
        [
            Linkage::VISIBLE,
            Linkage::EXTERN,
            Linkage::WEAK | Linkage::VISIBLE
        ]
    );
    let shown: Vec<_> = variables(&m).iter().map(|v| show_variable(&m, v)).collect();
    assert_eq!(
        shown,
        [
            ".global .b32 d",
            ".shared align=16 .b8 e[]",
            ".const .f32 f = f32:3f800000"
        ]
    );
    assert_eq!(variables(&m)[0].linkage.0, Linkage::COMMON);
    assert_eq!(m.str(variables(&m)[0].span), ".common .global .b32 d;");
}

#[test]
fn aliases_and_attributes() {
    let m = module(
        ".alias f, g;\n.global .attribute(.managed) .align 4 .b32 x;\n\
         .global .attribute(.unified(1, 2)) .b32 y;\n.func .attribute(.unified(3,4)) (.reg .b32 r) h() { ret; }",
    );
    assert_eq!(directives(&m), [".alias f, g;"]);
    let shown: Vec<_> = variables(&m).iter().map(|v| show_variable(&m, v)).collect();
    assert_eq!(shown, [".global align=4 .b32 x", ".global .b32 y"]);
    assert_eq!(m.str(functions(&m)[0].name), "h");
    assert_eq!(functions(&m)[0].directives.len(), 1);
}

#[test]
fn forward_declarations() {
    let m = module(
        ".func (.reg .s32 %rv1) f (.reg .u32 %ra1)\n.visible .func g\n.entry h (.param .u32 p)\n\
         .func (.param .b32 r) i (.param .b64 a) .noreturn;\n.global .u32 x;\n.func last",
    );
    let functions = functions(&m);
    assert!(functions.iter().all(|f| f.body.is_none()));
    let spans: Vec<_> = functions.iter().map(|f| m.str(f.span)).collect();
    assert_eq!(
        spans,
        [
            ".func (.reg .s32 %rv1) f (.reg .u32 %ra1)",
            ".visible .func g",
            ".entry h (.param .u32 p)",
            ".func (.param .b32 r) i (.param .b64 a) .noreturn;",
            ".func last",
        ]
    );
    assert_eq!(
        show_variable(&m, &functions[0].returns[0]),
        ".reg .s32 %rv1"
    );
    assert_eq!(m.str(functions[3].directives[0].name), ".noreturn");
}

#[test]
fn function_heads() {
    let m = module(
        ".entry k (.param .u64 p) .maxntid 32, 4, 1 .minnctapersm 2\n.pragma \"nounroll\";\n\
         .explicitcluster .future 7, a ; { ret; }\n.func $f_$ .abi_preserve 3 { ret; }",
    );
    let functions = functions(&m);
    let heads: Vec<_> = functions[0]
        .directives
        .iter()
        .map(|d| format!("{} {}", m.str(d.name), show_list(&m, d.arguments)))
        .collect();
    assert_eq!(
        heads,
        [
            ".maxntid #32, #4, #1",
            ".minnctapersm #2",
            ".pragma \"nounroll\"",
            ".explicitcluster ",
            ".future #7, a"
        ]
    );
    assert!(functions[0].body.is_some());
    assert_eq!(m.str(functions[1].name), "$f_$");
    assert_eq!(m.str(functions[1].directives[0].span), ".abi_preserve 3");
}

#[test]
fn parameters() {
    let m = module(
        ".entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[24], .param.u64 c, .param .u64 .ptr d,\n\
         .param .texref t, .param .b8 v[], .param .u64 .ptr .shared e, .param .u64 .ptr .texref u,\n\
         .param .u64 .ptr .surfref .align 4 s, .param .u64 .ptr.samplerref w, .reg.pred p, .param .align 4 .b8 _[2*4]) {}",
    );
    let shown: Vec<_> = functions(&m)[0]
        .parameters
        .iter()
        .map(|v| show_variable(&m, v))
        .collect();
    assert_eq!(
        shown,
        [
            ".param .u64 ptr(Some(\".global\"), Some(16)) a",
            ".param align=8 .b8 b[24]",
            ".param .u64 c",
            ".param .u64 ptr(None, None) d",
            ".param .texref t",
            ".param .b8 v[]",
            ".param .u64 ptr(Some(\".shared\"), None) e",
            ".param .u64 ptr(Some(\".texref\"), None) u",
            ".param .u64 ptr(Some(\".surfref\"), Some(4)) s",
            ".param .u64 ptr(Some(\".samplerref\"), None) w",
            ".reg .pred p",
            ".param align=4 .b8 _[8]",
        ]
    );
    assert_eq!(
        m.str(functions(&m)[0].parameters[1].span),
        ".param .align 8 .b8 b[24]"
    );
}

#[test]
fn registers() {
    assert_eq!(
        statement(".reg .b32 %r<10>, tmp, %q;"),
        ".reg .b32 %r<10> tmp %q"
    );
    assert_eq!(statement(".reg.u32 a;"), ".reg .u32 a");
    assert_eq!(statement(".reg .v4 .f32 v;"), ".reg v4 .f32 v");
    assert_eq!(statement(".reg .b128 w;"), ".reg .b128 w");
    let m = module(".reg .b32 %m;");
    assert_eq!(show_variable(&m, variables(&m)[0]), ".reg .b32 %m");
    assert_eq!(
        statements("mov.f32 v.x, %f1;\nmov.f32 %f2, v.w;\n.reg .pred late;"),
        ["mov.f32 v.x, %f1", "mov.f32 %f2, v.w", ".reg .pred late"]
    );
}

#[test]
fn scopes_and_labels() {
    assert_eq!(
        statements("{ .reg .u32 a; L: { } bra L; }\n$L__BB0_1:\n%x: ret;\nend :"),
        [
            "{",
            ".reg .u32 a",
            "label L",
            "{",
            "}",
            "bra L",
            "}",
            "label $L__BB0_1",
            "label %x",
            "ret ",
            "label end"
        ]
    );
    let deep = 100_000;
    let body = "{".repeat(deep) + &"}".repeat(deep);
    assert_eq!(statements(&body).len(), 2 * deep);
}

#[test]
fn calls() {
    assert_eq!(
        statements(
            "{ .param .b32 p0; st.param.b32 [p0+0], %r1; call.uni (retval0), f, (p0, p1);\n\
             call (%r1), g, (%r2, 4, (1+2)*3); call h; call (_), %rd1, (), proto; call.uni i, (x); }"
        )[3..8],
        [
            "call.uni (retval0), f, (p0, p1)",
            "call (%r1), g, (%r2, #4, #9)",
            "call h",
            "call (_), %rd1, (), proto",
            "call.uni i, (x)"
        ]
        .map(str::to_owned)
    );
}

#[test]
fn indirect_calls_and_branches() {
    assert_eq!(
        statements(
            "proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) .noreturn;\n\
             none : .callprototype _ ();\nt: .calltargets f, g;\nts: .branchtargets L1,\n L2;\nbrx.idx %r1, ts;"
        ),
        [
            "label proto",
            ".callprototype (.param, .b32, _), _, (.param, .b64, _, .param, .align, #8, .b8, _, #16), .noreturn",
            "label none",
            ".callprototype _, ()",
            "label t",
            ".calltargets f, g",
            "label ts",
            ".branchtargets L1, L2",
            "brx.idx %r1, ts"
        ]
    );
}

#[test]
fn guards() {
    assert_eq!(statement("@%p1 bra L;"), "@%p1 bra L");
    assert_eq!(statement("@!p ret;"), "@!p ret ");
    assert_eq!(statement("@ ! %p ret;"), "@!%p ret ");
    let text = kernel("  @%p1 bra L ; ");
    let m = module(&text);
    let body = functions(&m)[0].body.as_ref().expect("a body");
    assert_eq!(m.str(body.statements[0].span), "@%p1 bra L ;");
}

#[test]
fn operands() {
    assert_eq!(
        statement("setp.and.lt.f32 %p|%q, a, b, !%r;"),
        "setp.and.lt.f32 %p|%q, a, b, !%r"
    );
    assert_eq!(
        statement("shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;"),
        "shfl.sync.up.b32 %r1|%p1, %r2, #1, #0, #-1"
    );
    assert_eq!(statement("atom.add _, [%r], 1;"), "atom.add _, [%r+0], #1");
    assert_eq!(statement("mov.b32 %r1, {0, %h};"), "mov.b32 %r1, {#0, %h}");
    assert_eq!(
        statement("tex.2d.v4.f32.f32 {a,_,b,c}|%p, [t, s, {x, y}], {1, 2};"),
        "tex.2d.v4.f32.f32 {a, _, b, c}|%p, [t+0; s, {x, y}], {#1, #2}"
    );
    assert_eq!(
        statement("vmad.s32.u32.u32 %r1, %r2.b0, -%r3.h1, %r4;"),
        "vmad.s32.u32.u32 %r1, %r2.b0, !%r3.h1, %r4"
    );
    assert_eq!(statement("mov.u32 %r1, %tid.x;"), "mov.u32 %r1, %tid.x");
    assert_eq!(statement("x {{a,b},{c}};"), "x {{a, b}, {c}}");
}

#[test]
fn addresses() {
    for (written, read) in [
        ("[%r]", "[%r+0]"),
        ("[%r+4]", "[%r+4]"),
        ("[ %r + -4 ]", "[%r-4]"),
        ("[%r+(4*2)]", "[%r+8]"),
        ("[%r+4*2+1]", "[%r+9]"),
        ("[%r-4]", "[%r-4]"),
        ("[sym]", "[sym+0]"),
        ("[sym+0x10]", "[sym+16]"),
        ("[128]", "[+128]"),
        ("[WARP_SZ]", "[+32]"),
        ("[%r+WARP_SZ]", "[%r+32]"),
        ("[%r, {%a, %b}]", "[%r+0; {%a, %b}]"),
        ("[%r+8, %m]", "[%r+8; %m]"),
        ("sym+4", "[sym+4]"),
        ("sym[4]", "sym[#4]"),
        ("sym[%r1]", "sym[%r1]"),
        ("sym[%r1+4]", "sym[[%r1+4]]"),
    ] {
        let text = format!("ld.global.u32 %r9, {written};");
        let expected = format!("ld.global.u32 %r9, {read}");
        assert_eq!(statement(&text), expected);
    }
}

#[test]
fn literals_and_expressions() {
    for (written, value) in [
        ("0x1F", 31),
        ("017", 15),
        ("0b11U", 3),
        ("42u", 42),
        ("-1", -1),
        ("-(1)", -1),
        ("- - 1", 1),
        ("(1+2)*3", 9),
        ("1-2-3", -4),
        ("2+3*4", 14),
        ("1?2:3", 2),
        ("0?2:0?3:4", 4),
        ("~0", -1),
        ("!5", 0),
        ("7 % 3", 1),
        ("-7 % 3", 0),
        ("-8>>1", -4),
        ("1<<4", 16),
        ("1<<64", 1),
        ("1|2^3&4", 3),
        ("-1<0", 1),
        ("-1 < 0U", 0),
        ("(.u64)-1 < 0", 0),
        ("(.s64)0xFFFFFFFFFFFFFFFF < 0", 1),
        ("1 && 0 || 1", 1),
        ("1.5 < 2.0", 1),
        ("3 >= 3 && 3 != 4", 1),
        ("WARP_SZ-1", 31),
        ("2*WARP_SZ", 64),
    ] {
        assert_eq!(
            statement(&format!("mov.u64 %r1, {written};")),
            format!("mov.u64 %r1, #{value}")
        );
    }
    for (written, value) in [
        ("0f3F800000", "f32:3f800000".to_owned()),
        ("0d3FF0000000000000", "f64:3ff0000000000000".to_owned()),
        ("1e3", format!("f64:{:x}", 1e3f64.to_bits())),
        ("-1.5", format!("f64:{:x}", (-1.5f64).to_bits())),
        (".5", format!("f64:{:x}", 0.5f64.to_bits())),
        ("1.0/4.0", format!("f64:{:x}", 0.25f64.to_bits())),
    ] {
        assert_eq!(
            statement(&format!("mov.f64 %f1, {written};")),
            format!("mov.f64 %f1, {value}")
        );
    }
    assert_eq!(statement("mov.u32 %r1, WARP_SZ;"), "mov.u32 %r1, WARP_SZ");
}

#[test]
fn opcodes_known_or_not() {
    for opcode in [
        "ld.global.nc.L2::cache_hint.v2.f32",
        "mbarrier.try_wait.shared::cta.b64",
        "atom.add.release.gpu",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes",
        "frobnicate.of.next::year.128x256b",
        "mov .u32",
    ] {
        assert_eq!(
            statement(&format!("{opcode} %r1, %r2;")),
            format!("{opcode} %r1, %r2")
        );
    }
}

#[test]
fn initialisers() {
    let m = module(
        ".global .b8 a[2][2] = {{1, 2}, {3}, };\n.global .u64 p[3] = {generic(s)+4, s, 0xFF00(s+1)};\n\
         .global .f32 f = -1.5, g[2] = {0f00000000, 1+1};\n.global .u64 q = generic(s-8);\n\
         .global .samplerref t = { addr_mode_0 = clamp_to_border, filter_mode = nearest };\n\
         .const[2] .u32 b = {};\n.global .u8 m[2] = {0xFF(generic(s)), 1, {2, {3}}, 4};",
    );
    let shown: Vec<_> = variables(&m).iter().map(|v| show_variable(&m, v)).collect();
    assert_eq!(
        shown,
        [
            ".global .b8 a[2][2] = {{1, 2}, {3}}",
            ".global .u64 p[3] = {generic s+4, s+0, ff00&s+1}",
            ".global .f32 f = f64:bff8000000000000 g[2] = {f32:0, 2}",
            ".global .u64 q = generic s+-8",
            ".global .samplerref t = {addr_mode_0=clamp_to_border, filter_mode=nearest}",
            ".const .u32 b = {}",
            ".global .u8 m[2] = {ff&generic s+0, 1, {2, {3}}, 4}",
        ]
    );
}

#[test]
fn a_large_initialiser() {
    let count = 300_000;
    let text = format!(".global .b8 x[] = {{{}}};", "7, ".repeat(count));
    let m = module(&text);
    assert_eq!(m.initialisers.iter().count(), count + 1);
}

#[test]
fn debugging_information() {
    let m = module(
        ".file 1 \"C:\\a\\\", 123, 45\n.section .debug_str\n{\n.b8 97 // }\n$L_x:\n.b8 \"}\"\n}\n\
         .section .debug_abbrev { .b8 1 { } }\n@@DWARF .section .debug_info, \"\", @progbits\n@@DWARF .4byte 1\n\
         .loc 1 2 3\n.pragma \"x\";\n",
    );
    assert_eq!(
        directives(&m),
        [
            ".file 1 \"C:\\a\\\", 123, 45",
            ".section .debug_str\n{\n.b8 97 // }\n$L_x:\n.b8 \"}\"\n}",
            ".section .debug_abbrev { .b8 1 { } }",
            "@@DWARF .section .debug_info, \"\", @progbits",
            "@@DWARF .4byte 1",
            ".loc 1 2 3",
            ".pragma \"x\";",
        ]
    );
    assert_eq!(
        statements(
            ".loc 1 22 5\n.loc 1 23 7, function_name $L__info+4, inlined_at 1 40 9\n.loc 28 5\n\
             .pragma \"used_bytes_mask 0xfff\";\nret;"
        ),
        [
            "loc 1 22 5",
            "loc 1 23 7",
            "loc 28 5 0",
            ".pragma \"used_bytes_mask 0xfff\"",
            "ret "
        ]
    );
    // An instruction may follow on the same line.
    assert_eq!(
        statements(".loc 1 4 5, function_name info + 1, inlined_at 1 2 3 mov.b32 %r1, 1;"),
        ["loc 1 4 5", "mov.b32 %r1, #1"]
    );
}

#[test]
fn unknown_directives() {
    let m = module(
        ".future 1, two, \"3\"\n.other { whatever ] }\n.more .dotted 4;\n.last a,\n  b\n.target sm_90\n.braced\n{ x }\n",
    );
    assert_eq!(
        directives(&m),
        [
            ".future 1, two, \"3\"",
            ".other { whatever ] }",
            ".more .dotted 4;",
            ".last a,\n  b",
            ".target sm_90",
            ".braced\n{ x }"
        ]
    );
    assert_eq!(
        statements(".future 1, a\nret;\n.other x;\n.bare\n{ ret; }"),
        [
            ".future #1, a",
            "ret ",
            ".other x",
            ".bare ",
            "{",
            "ret ",
            "}"
        ]
    );
}

#[test]
fn the_collection() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ptx-tests/parse");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("ptx-tests/parse") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read(&path).expect("a file");
        if let Err(error) = parse(&text) {
            panic!("{}: {error} at {:?}", path.display(), error.span);
        }
        count += 1;
    }
    assert!(count > 0);
}

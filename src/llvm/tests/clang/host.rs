//! Compilers with another LLVM than the plugin's, each a few lines of C.

use crate::clang::sandbox::{LLVM, Sandbox, plugin, printed, program};
use std::process::Output;

/// Loads a plugin as LLVM does, and prints the version of its interface.
const HOST: &str = r#"#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#ifdef OWN
void *LLVMContextCreate(void) { return 0; }
#ifdef MAJOR
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) { *major = MAJOR; *minor = 1; *patch = 8; }
#endif
#endif
#ifdef HOST
int main(int count, char **words) {
  void *plugin = dlopen(words[1], RTLD_LAZY | RTLD_GLOBAL);
  if (!plugin) { puts(dlerror()); return 2; }
  // The struct is returned where the first argument points to.
  void (*ask)(void *) = (void (*)(void *))dlsym(plugin, "llvmGetPassPluginInfo");
  void *place[6];
  memset(place, 0x55, sizeof place);
  ask(place);
  printf("interface %u of %d words\n", *(unsigned *)place, place[4] == place[5] ? 4 : 5);
  return 0;
}
#endif
"#;

/// How the host is built: its LLVM in a library of some version, as distributions have it, or in the program itself.
fn asked(sandbox: &Sandbox, library: &[&str], host: &[&str]) -> Option<Output> {
    let compiler = program("gcc")?;
    sandbox.file("host.c", HOST);
    sandbox.file("versions", "LLVM_OF_HOST { global: *; };\n");
    let shared = [
        "-shared",
        "-fPIC",
        "-Wl,--version-script=versions",
        "host.c",
        "-o",
        "libhost.so",
    ];
    sandbox.quietly(sandbox.command(&compiler, &shared).args(library));
    let words = [
        "-DHOST",
        "host.c",
        "-o",
        "host",
        "-Wl,-rpath,$ORIGIN",
        "-L.",
    ];
    let linked = ["-Wl,--no-as-needed", "-lhost", "-ldl"];
    sandbox.quietly(sandbox.command(&compiler, &words).args(host).args(linked));
    let plugin = plugin();
    Some(sandbox.run(sandbox.command(sandbox.path("host"), &[]).arg(plugin)))
}

#[test]
fn a_compiler_with_another_llvm_refuses_the_plugin() {
    let sandbox = Sandbox::new();
    let same = format!("-DMAJOR={LLVM}");
    let another = format!("another copy of LLVM {LLVM}.1.8");
    type Case<'a> = (&'a [&'a str], &'a [&'a str], &'a str);
    let cases: [Case; 4] = [
        (&["-DOWN", "-DMAJOR=14"], &[], "LLVM 14.1.8"),
        (&["-DOWN"], &[], "LLVM 15 or older"),
        (&["-DOWN", &same], &[], &another),
        (&[], &["-DOWN", "-DMAJOR=13", "-rdynamic"], "LLVM 13.1.8"),
    ];
    for (library, host, found) in cases {
        let Some(output) = asked(&sandbox, library, host) else {
            return;
        };
        assert_eq!(
            output.stdout, b"interface 0 of 4 words\n",
            "{found}: {output:?}"
        );
        let text = printed(&output);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(
            text.contains(found) && text.contains(&format!("needs LLVM {LLVM}")),
            "{text}"
        );
    }
    // One that shows no LLVM at all gets the benefit of the doubt.
    let output = asked(&sandbox, &[], &[]).unwrap();
    let interface = if LLVM < "22" { 1 } else { 2 };
    let words = interface + 3;
    let expected = format!("interface {interface} of {words} words\n");
    assert_eq!(output.stdout, expected.as_bytes(), "{output:?}");
}

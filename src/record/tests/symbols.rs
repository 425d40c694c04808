//! What the library puts in front of programs: functions of the driver that it sees, and `dlsym`.

use object::{Object, ObjectSymbol};

#[test]
fn nothing_else_is_hidden_from_programs() {
    let tests = std::env::current_exe().unwrap();
    let bytes = std::fs::read(tests.with_file_name("libptxasw_record.so")).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let symbols = file
        .dynamic_symbols()
        .filter(|symbol| symbol.is_definition());
    let mut names: Vec<&str> = symbols.map(|symbol| symbol.name().unwrap()).collect();
    names.sort_unstable();
    let (dlsym, driver): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| **name == "dlsym");
    assert_eq!(dlsym.len(), 1);
    assert_eq!(driver.len(), 18, "{driver:?}");
    let of_the_driver = |name: &&str| {
        [
            "cuModule",
            "cuLibrary",
            "cuKernel",
            "cuLaunch",
            "cuGetProcAddress",
        ]
        .iter()
        .any(|part| name.starts_with(part))
    };
    assert!(driver.iter().all(of_the_driver), "{driver:?}");
}

//! What `--json` prints: one object that begins with its format and the version of ptxasw.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The JSON object that a command prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Document<T> {
    /// The version of this structure: goes up when a field changes its meaning or goes away. Each command counts for itself.
    pub format: u32,
    /// The version of ptxasw that wrote it.
    pub version: String,
    /// The fields of the command's own.
    #[serde(flatten)]
    pub body: T,
}

impl<T: Serialize> Document<T> {
    /// By this version of ptxasw. The body must be an object.
    pub fn new(format: u32, body: T) -> Self {
        Document {
            format,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            body,
        }
    }

    /// As it is printed.
    ///
    /// # Errors
    /// The body is no object.
    pub fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The body of a command that has a list of rows for kernels.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Kernels<T> {
    /// A row for each kernel, target and size of launch.
    pub kernels: T,
}

/// A schema in `docs/reference`, which `PTXASW_BLESS=1` writes anew; where a field goes away or changes its meaning the format's number
/// goes up.
#[cfg(test)]
pub fn assert_schema<T: JsonSchema>(name: &str) {
    let settings = schemars::generate::SchemaSettings::default().for_serialize();
    let schema = settings
        .into_generator()
        .into_root_schema_for::<Document<T>>();
    let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let path = folder.join(format!("{name}.schema.json"));
    if std::env::var_os("PTXASW_BLESS").is_some() {
        std::fs::write(&path, schema).unwrap();
        return;
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), schema);
}

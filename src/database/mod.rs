//! The YAML database: its schema, reading, merging and writing.

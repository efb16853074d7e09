"""What tests are written with: Markdown cases, golden files. It is tested itself in `tests/meta/`."""

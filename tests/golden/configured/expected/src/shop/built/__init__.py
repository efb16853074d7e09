"""A build of lauren-compile: `dispatch.TABLE` is what a `ToolExecutor` takes. Generated: do not edit."""

"""Search engines behind `WebSearchTool`."""

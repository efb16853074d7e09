"""The tools of a small shop: one module for each way to write a tool."""

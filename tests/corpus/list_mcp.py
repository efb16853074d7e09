"""The tools an MCP server lists, asked over its standard input and output; run by the server's own interpreter.

Usage: list_mcp.py MODULE [ARGUMENT...]. Prints `{name: {"description", "schema"}}` as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

START = {
    "protocolVersion": "2024-11-05",
    "capabilities": {},
    "clientInfo": {"name": "list", "version": "1"},
}


def main(module: str, arguments: list[str]) -> None:
    """Start the server, ask, and end it."""
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        _send(server, {"id": 1, "method": "initialize", "params": START})
        _answer(server, 1)
        _send(server, {"method": "notifications/initialized"})
        _send(server, {"id": 2, "method": "tools/list", "params": {}})
        listed = _answer(server, 2)["tools"]
        server.kill()
    tools = {each["name"]: {"description": each.get("description"), "schema": each["inputSchema"]} for each in listed}
    print(json.dumps(tools))


def _send(server: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    server.stdin.flush()


def _answer(server: subprocess.Popen[str], identity: int) -> Any:
    assert server.stdout is not None
    for line in server.stdout:
        message = json.loads(line) if line.startswith("{") else {}
        if message.get("id") == identity:
            return message["result"]
    raise SystemExit(f"the server ended without an answer to message {identity}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

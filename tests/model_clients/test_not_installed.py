"""A client whose package is not installed says which extra brings it."""

from __future__ import annotations

import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
CLIENTS = [
    ("anthropic", "AnthropicModelClient", "anthropic", "anthropic"),
    ("openai", "OpenAIModelClient", "openai", "openai"),
    ("openai_responses", "OpenAIResponsesModelClient", "openai", "openai"),
    ("gemini", "GeminiModelClient", "google", "gemini"),
    ("bedrock", "BedrockModelClient", "botocore.exceptions", "bedrock"),
]


@pytest.mark.parametrize(("module", "client", "imported", "extra"), CLIENTS)
def test_the_extra_is_named(
    module: str, client: str, imported: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, imported, None)
    made = getattr(import_module(f"lauren_runtime.model_clients.{module}"), client)
    with pytest.raises(ImportError, match=rf"needs the package .*: pip install 'lauren-compile\[{extra}\]'") as caught:
        made()
    brought = [each.partition(">")[0] for each in PROJECT["optional-dependencies"][extra]]
    assert any(f"the package {package}:" in str(caught.value) for package in brought)


def test_bedrock_needs_boto3_where_no_client_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    class Exceptions:
        BotoCoreError = ClientError = OSError

    monkeypatch.setitem(sys.modules, "botocore", Exceptions)
    monkeypatch.setitem(sys.modules, "botocore.exceptions", Exceptions)
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(ImportError, match=r"needs the package boto3: pip install 'lauren-compile\[bedrock\]'"):
        import_module("lauren_runtime.model_clients.bedrock").BedrockModelClient()

"""`LLMConfig` and `LLMModule`: which model a program asks, and the module that gives it to agents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ..agents.model_client import ModelClient
from ..container.declaring import module, use_factory, use_value
from ..table import Table
from . import StandinError, table_in_use
from .transport import MockModel, MockTransport

_DEFAULTS: dict[str, Any] = {
    "api_key": None,
    "base_url": None,
    "default_headers": None,
    "default_query": None,
    "client_options": None,
    "max_tokens": 4096,
    "temperature": 1.0,
    "timeout": 60.0,
    "max_retries": 3,
}
"""The fields that mean something here, besides provider and model."""
_PROVIDERS = ("anthropic", "openai", "ollama")


class LLMConfig:
    """Which provider and model, and how it is reached. Raises StandinError for what this runtime can't be told."""

    def __init__(self, provider: str, model: str, **fields: Any) -> None:
        unknown = sorted(fields.keys() - _DEFAULTS.keys())
        if unknown:
            raise StandinError(
                f"LLMConfig({unknown[0]}=...) says nothing to this runtime: what a request holds besides is for "
                "AgentConfig(request_options=...)"
            )
        if provider not in _PROVIDERS:
            raise StandinError(
                f"provider {provider!r} has no client here (there are {', '.join(_PROVIDERS)}): write a ModelClient, "
                "docs/writing-a-model-client.md, and give it as `transport_override`"
            )
        self.provider, self.model = provider, model
        for name, default in _DEFAULTS.items():
            setattr(self, name, fields.get(name, default))

    if TYPE_CHECKING:
        client_options: dict[str, Any] | None

    @classmethod
    def for_anthropic(cls, model: str = "claude-opus-4-6", **fields: Any) -> LLMConfig:
        """Anthropic's API; the key comes from ANTHROPIC_API_KEY if none is given."""
        fields["api_key"] = fields.get("api_key") or os.environ.get("ANTHROPIC_API_KEY")
        return cls("anthropic", model, **fields)

    @classmethod
    def for_openai(cls, model: str = "gpt-4o", **fields: Any) -> LLMConfig:
        """OpenAI's API; the key comes from OPENAI_API_KEY if none is given."""
        fields["api_key"] = fields.get("api_key") or os.environ.get("OPENAI_API_KEY")
        return cls("openai", model, **fields)

    @classmethod
    def for_ollama(cls, model: str = "llama3.2", **fields: Any) -> LLMConfig:
        """A local Ollama, through the API of OpenAI's that it speaks."""
        return cls("ollama", model, **{"base_url": "http://localhost:11434", **fields})

    @classmethod
    def for_testing(cls) -> tuple[LLMConfig, MockTransport]:
        """A configuration that reaches nothing, and the transport to queue replies on."""
        return cls("anthropic", "mock-model", api_key="mock-key"), MockTransport()


class LLMModule:
    """Makes modules that provide a model, and the tools that were built for it."""

    @classmethod
    def for_root(cls, config: LLMConfig, transport_override: Any = None, signals: Any = None) -> type:
        """A module that provides and exports `LLMConfig`, and what an `AgentModule` asks for: a model and a table.

        `transport_override` is a MockTransport, or a ModelClient of your own. Raises StandinError for anything else,
        and for `signals`: those of a run are given to `AgentModule.for_root`.
        """
        if signals is not None:
            raise StandinError("a model tells no signals here: give the bus to AgentModule.for_root(signals=...)")
        client = use_factory(provide=ModelClient, factory=lambda: _client(config, transport_override))
        table = use_factory(provide=Table, factory=table_in_use)
        given = [use_value(provide=LLMConfig, value=config), client, table]
        return module(providers=given, exports=[LLMConfig, ModelClient, Table])(type("LLMModule", (), {}))


def _client(config: LLMConfig, given: Any) -> ModelClient:
    """What asks the model of a configuration."""
    if isinstance(given, MockTransport):
        return MockModel(given, config.model)
    if given is not None:
        if not hasattr(given, "target"):
            raise StandinError(f"a transport here is a MockTransport or a ModelClient of lauren_runtime, not {given!r}")
        return Configured(given, config.model)
    return Configured(_official(config), config.model)


def _official(config: LLMConfig) -> Any:
    """The client of a provider's own package. Raises ModelError where that is not installed."""
    names = ("api_key", "base_url", "default_headers", "default_query", "timeout", "max_retries")
    options: dict[str, Any] = {name: getattr(config, name) for name in names}
    options.update(config.client_options or {})
    if config.provider == "anthropic":
        from ..model_clients.anthropic import AnthropicModelClient
        from ..model_clients.failures import installed

        with installed("anthropic", "anthropic"):
            import anthropic
        return AnthropicModelClient(anthropic.AsyncAnthropic(**options))
    from ..model_clients.failures import installed
    from ..model_clients.openai import OpenAIModelClient

    with installed("openai", "openai"):
        import openai
    if config.provider == "ollama":
        options.update(api_key="ollama", base_url=str(options["base_url"]).rstrip("/") + "/v1")
    return OpenAIModelClient(openai.AsyncOpenAI(**options))


class Configured:
    """A model client under the name of the model that agents get which name none."""

    def __init__(self, client: Any, model: str) -> None:
        self.target: str = client.target
        self.default_model = model
        self.complete = client.complete
        if hasattr(client, "stream"):
            self.stream = client.stream

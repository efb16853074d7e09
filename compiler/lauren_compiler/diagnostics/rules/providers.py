"""LC5xx: what a provider would refuse or lose."""

from __future__ import annotations

from ..model import Rule

PROVIDER_TOOL_NAME = Rule("LC501", "provider-tool-name", "a provider refuses the tool's name")
PROVIDER_DESCRIPTION = Rule("LC502", "provider-description", "a provider refuses the description")
TOO_MANY_TOOLS = Rule("LC503", "too-many-tools", "a provider takes fewer tools")
PROVIDER_PROPERTY_NAME = Rule("LC504", "provider-property-name", "a provider refuses the name of a property")
PROVIDER_SCHEMA = Rule("LC505", "provider-schema", "a provider refuses a part of the schema")

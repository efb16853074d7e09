# 1. Ownership module — declares the tool singleton exactly once.
from lauren import module
from app.ai.check_auth_tool import CheckAuthenticationTool

@module(providers=[CheckAuthenticationTool], exports=[CheckAuthenticationTool])
class CheckAuthModule: ...

# 2. Every AgentModule that uses the tool imports CheckAuthModule and
#    lists the tool in shared_tools= to skip re-registration.
from lauren_ai._module import AgentModule

UnauthMod = AgentModule.for_root(
    agents=[UnauthenticatedCRMAgent],
    imports=[LLMProvider, CheckAuthModule],
    shared_tools=[CheckAuthenticationTool],   # owned by CheckAuthModule
)

AuthMod = AgentModule.for_root(
    agents=[AuthenticatedCRMAgent],
    imports=[LLMProvider, CheckAuthModule],
    shared_tools=[CheckAuthenticationTool],   # owned by CheckAuthModule
)

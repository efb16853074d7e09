@tool(requires_confirmation=True)
async def send_email(to: str, subject: str, body: str) -> dict:
    """Send an email.

    Args:
        to: Recipient email address.
        subject: Email subject line.
        body: Email body text.
    """
    ...

# In a separate handler (e.g. a webhook from your UI):
await runner.approve_tool(agent_run_id="...", tool_use_id="toolu_abc123")
# or:
await runner.reject_tool(agent_run_id="...", tool_use_id="toolu_abc123", reason="Not approved")

"""A tool that a human approves before it runs: the executor raises `ToolPendingApprovalSignal` first."""

from lauren_runtime import tool

OUTBOX: list[dict[str, str]] = []


@tool(requires_confirmation=True)
async def send_email(to: str, subject: str, body: str) -> dict[str, int]:
    """Send an email.

    Args:
        to: Recipient email address.
        subject: Email subject line.
        body: Email body text.
    """
    OUTBOX.append({"to": to, "subject": subject, "body": body})
    return {"sent": len(OUTBOX)}

"""Serves the page at http://127.0.0.1:8000, and keeps what waits in the file approvals.db."""

import uvicorn
from lauren_build.dispatch import TABLE
from lauren_runtime import Approvals, SQLiteApprovalStore

from .app import create_app
from .clerk import Clerk


def main() -> None:
    approvals = Approvals(SQLiteApprovalStore("approvals.db"), table=TABLE, time_limit=None)
    uvicorn.run(create_app(approvals, Clerk(approvals, TABLE)), host="127.0.0.1", port=8000)


if __name__ == "__main__":
    main()

"""A small web application on which people approve or reject what an agent wants to do.

From the folder above, after a build: `python -m approvals`. It needs `starlette` and `uvicorn`.
"""

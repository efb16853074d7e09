"""Model clients on the providers' official packages, each an extra of this one: `lauren-compile[anthropic]`.

Each takes the package's own client, with whatever address, credentials, retries and time limits it was made with.
"""

"""The side of a sandbox that runs apart from the program; skills/code/ starts it and reads what comes back.

    program ──starts──> launcher (supervising.py) ──forks──> first process of the sandbox ──forks──> the code
                        its own session, time limit,         (confining.py) gives up rights,
                        kills all that is left               sets limits, reports the end

The launcher is a fresh interpreter with an empty environment. What it forks lives in a sandbox made by bubblewrap.py or
namespaces.py; where the system offers neither, it is a plain process with limits. Nothing here imports more of
lauren_runtime: it is loaded anew for each run.
"""

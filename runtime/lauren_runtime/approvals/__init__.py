"""Approvals that outlive the process: who is asked, who decided what, and that an approved call runs once.

- `approvals.py` has what an application uses, `records.py` what is kept, `transitions.py` how one state follows another
- `store.py` says what a store must do; `memory.py`, `sqlite.py` and `redis_store.py` are three
- `deciding.py`, `waiting.py` and `running.py` are the human's side, the wait, and the runner's side
"""

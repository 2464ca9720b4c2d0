"""Sweeps in processes of their own, few and shared by all visitors, so that the dashboard stays quick.

A thread would share the interpreter with every visitor's slider. A worker is a process that carries out one
plan after another; there are as many as cores but one, and at least two. `pool` lends them fairly, `worker`
starts and ends one by way of loky, `process` is what runs inside.
"""

from microagg.workers.fault import Broken, Fault
from microagg.workers.pool import POOL, Pool

__all__ = ["POOL", "Broken", "Fault", "Pool"]

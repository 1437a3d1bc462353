# Readers share a lock, a writer waits for the last of them, and a reader behind the
# writer waits as well (R9, R11, R12). Names may be anything.
["acquire", 0, "reader 1", "报表/日次", 30, "shared"]
["acquire", 3, "读者", "报表/日次", 40, "shared"]
["acquire", 6, "👩‍🚀", "报表/日次", 8, "shared"]
["acquire", 8, "writer", "报表/日次", 10, "exclusive"]
["acquire", 10, "late\u001b[31m</text>", "报表/日次", 12, "shared"]
["renew", 12, "reader 1", "报表/日次", 12]
["release", 40, "读者", "报表/日次"]
["release", 44, "writer", "报表/日次"]
["inspect", 60, "报表/日次"]

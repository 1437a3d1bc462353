"""A complete lock service by the rules of leasekeeper, editions 1 to 3.

    leasekeeper fuzz --against 'python3 docs/conformance/python/lockservice.py'

R-numbers are those of docs/rules.md.
"""

import heapq
import re
from itertools import takewhile

EXCLUSIVE, SHARED = "exclusive", "shared"
INVALID, INVALID_TTL = "error: invalid arguments", "error: invalid ttl"
TICKS = {"second": 1, "millisecond": 10**3, "microsecond": 10**6, "nanosecond": 10**9}
LARGEST = 2**63 - 1


class Lease:
    def __init__(self, client, mode, token, turn, expires_at):
        self.client, self.mode, self.token = client, mode, token
        self.turn, self.expires_at = turn, expires_at


class Request:
    def __init__(self, client, mode, ttl):
        self.client, self.mode, self.ttl = client, mode, ttl


class Lock:
    def __init__(self):
        self.counter = 0  # tokens given so far (R5)
        self.holders = {}  # leases by client, in the order of their tokens
        self.queue = []  # requests, oldest first (R4)
        self.mark = 0  # highest token that the store accepted (R6)
        self.values = {}

    def admits(self, mode):
        """Whether a request goes with the holders, who are all of one mode (R9)."""
        holder = next(iter(self.holders.values()), None)
        return holder is None or mode == holder.mode == SHARED


class LockService:
    def __init__(self, edition=3, unit="second"):
        self.edition = edition
        self.longest_ttl = 86400 * TICKS[unit]  # R30
        self.largest_instant = LARGEST - self.longest_ttl  # R24
        self.clock = None
        self.locks = {}
        self.holds = {}  # by client: its leases by lock
        self.waits = {}  # by client: the lock that it waits for
        self.ages = {}  # R15
        self.registrations = 0
        self.grants = 0
        self.ends = []  # a heap of all leases, by end; ends that were moved stay in it

    # The way in (R23)

    def answer(self, operation):
        if not isinstance(operation, list) or len(operation) < 2:
            return INVALID
        return self.operate(operation[0], operation[1], operation[2:])

    def operate(self, name, ts, arguments):
        known = SHAPES.get(name) if isinstance(name, str) else None
        if known is None or name == "status" and self.edition < 3:
            return "error: unknown operation"
        if not is_integer(ts) or ts > self.largest_instant:
            return INVALID
        if self.clock is not None and ts < self.clock:
            return "error: clock went back"  # R26
        self.advance(ts)
        shape, optional = known
        if optional and self.edition >= 2 and len(arguments) > len(shape):
            shape = shape + optional
        if len(arguments) != len(shape) or not all(map(is_of, arguments, shape)):
            return INVALID
        if name == "repeat" and bad_repeat(*arguments):
            return INVALID
        if "ttl" in shape and not 1 <= arguments[2] <= self.longest_ttl:
            return INVALID_TTL  # R2
        return getattr(self, name)(*arguments)

    # Time (R1, R3)

    def advance(self, ts):
        self.clock = ts
        while self.ends and self.ends[0][0] <= ts:
            end, _, lock, lease = heapq.heappop(self.ends)
            if self.lease(lease.client, lock) is lease and lease.expires_at == end:
                self.finish(lock, lease, end)

    def lease(self, client, lock):
        return self.holds.get(client, {}).get(lock)

    def finish(self, lock, lease, at):
        """Ends a lease and hands the lock over, at the same instant."""
        del self.locks[lock].holders[lease.client]
        del self.holds[lease.client][lock]
        self.hand_over(lock, at)

    def hand_over(self, lock, at):
        """Grants from the head of the queue what goes with the holders (R11)."""
        queue = self.locks[lock].queue
        while queue and self.locks[lock].admits(queue[0].mode):
            request = queue.pop(0)
            del self.waits[request.client]
            self.grant(lock, request, at)

    def grant(self, lock, request, at):
        row = self.locks[lock]
        row.counter += 1
        self.grants += 1
        lease = Lease(request.client, request.mode, row.counter, self.grants, 0)
        row.holders[lease.client] = lease
        self.holds.setdefault(lease.client, {})[lock] = lease
        self.prolong(lock, lease, at + request.ttl)
        return lease

    def prolong(self, lock, lease, end):
        lease.expires_at = end
        heapq.heappush(self.ends, (end, lease.turn, lock, lease))

    # Leases

    def acquire(self, client, lock, ttl, mode=EXCLUSIVE):
        holds = self.holds.get(client, {})
        if client in self.waits or (lock in holds if self.edition >= 3 else holds):
            return "error: client busy"  # R8, R14
        if client not in self.ages:
            self.registrations += 1
            self.ages[client] = self.registrations
        row = self.locks.setdefault(lock, Lock())
        request = Request(client, mode, ttl)
        if not row.queue and row.admits(mode):  # R10
            lease = self.grant(lock, request, self.clock)
            return ["granted", lease.token, lease.expires_at]
        row.queue.append(request)
        self.waits[client] = lock
        victims = self.resolve(client) if self.edition >= 3 else []
        lease = self.lease(client, lock)
        if client in victims:  # R20
            return ["deadlock", victims]
        if lease:
            answer = ["granted", lease.token, lease.expires_at]
        else:
            answer = ["queued", row.queue.index(request) + 1]
        return answer + [victims] if victims else answer

    def renew(self, client, lock, ttl):
        lease = self.lease(client, lock)
        if not lease:
            return "error: not holder"
        self.prolong(lock, lease, self.clock + ttl)
        return ["renewed", lease.expires_at]

    def release(self, client, lock):
        lease = self.lease(client, lock)
        if lease:
            self.finish(lock, lease, self.clock)
            return "released"
        if self.waits.get(client) == lock:
            self.withdraw(client)
            return "withdrawn"
        return "error: not holder"

    def withdraw(self, client):
        """R13"""
        lock = self.waits.pop(client)
        row = self.locks[lock]
        row.queue = [request for request in row.queue if request.client != client]
        self.hand_over(lock, self.clock)

    # Deadlocks

    def resolve(self, requester):
        """Aborts the youngest of the cycle until there is none (R18).

        Nobody waits for a client that holds nothing and is the last in its queue."""
        victims = []
        while self.holds.get(requester):
            reached = self.reachable(requester)
            if requester not in reached:
                break
            cycle = [client for client in reached if requester in self.reachable(client)]
            victims.append(max(cycle, key=self.ages.get))
            self.abort(victims[-1])
        return victims

    def reachable(self, client):
        reached, left = set(), [client]
        while left:
            new = set(self.waits_for(left.pop())) - reached
            reached |= new
            left.extend(new)
        return reached

    def waits_for(self, client):
        """The holders of the lock that it waits for, and who is ahead (R16)."""
        if client not in self.waits:
            return []
        row = self.locks[self.waits[client]]
        ahead = takewhile(lambda request: request.client != client, row.queue)
        return list(row.holders) + [request.client for request in ahead]

    def abort(self, client):
        """R19. Python compares strings by code points, which is the order of their
        UTF-8 bytes (R25)."""
        self.withdraw(client)
        for lock, lease in sorted(self.holds.get(client, {}).items()):
            self.finish(lock, lease, self.clock)
        del self.ages[client]

    # Store (R6)

    def write(self, lock, key, value, token):
        row = self.locks.setdefault(lock, Lock())
        if token < row.mark:
            return "error: stale token"
        row.mark = token
        row.values[key] = value
        return "ok"

    def read(self, lock, key):
        return self.locks[lock].values.get(key) if lock in self.locks else None

    # Views (R21, R22)

    def inspect(self, lock):
        row = self.locks.get(lock, Lock())
        return {
            "holders": [[h.client, h.mode, h.token, h.expires_at] for h in row.holders.values()],
            "queue": [[request.client, request.mode] for request in row.queue],
        }

    def status(self, client):
        holds = sorted(self.holds.get(client, {}).items())
        return {
            "age": self.ages.get(client),
            "holds": [[lock, lease.mode, lease.token, lease.expires_at] for lock, lease in holds],
            "waiting": self.waits.get(client),
        }

    # Repeat (R27)

    def repeat(self, count, step, template):
        first, tally = self.clock, {}
        for i in range(count):
            arguments = [expand(text, i) if isinstance(text, str) else text for text in template[1:]]
            answer = self.operate(template[0], first + i * step, arguments)
            key = answer[0] if isinstance(answer, list) else answer
            key = key if isinstance(key, str) else "other"
            tally[key] = tally.get(key, 0) + 1
            if isinstance(answer, list) and isinstance(answer[-1], list):
                tally["aborted"] = tally.get("aborted", 0) + len(answer[-1])
        return {"ops": count, "results": tally}


# Arguments (R24, R25)

SHAPES = {
    "acquire": (["text", "text", "ttl"], ["mode"]),
    "renew": (["text", "text", "ttl"], []),
    "release": (["text", "text"], []),
    "write": (["text", "text", "text", "token"], []),
    "read": (["text", "text"], []),
    "inspect": (["text"], []),
    "status": (["text"], []),
    "repeat": (["count", "step", "template"], []),
}


def is_integer(value):
    """Whether it is one and fits into 64 bits; a bool is an int in Python, but not here."""
    return type(value) is int and -(2**63) <= value <= LARGEST


def is_text(value):
    """A lone surrogate survives in a str, but cannot be encoded."""
    return isinstance(value, str) and value != "" and not re.search("[\ud800-\udfff]", value)


KINDS = {
    "text": is_text,
    "mode": lambda mode: isinstance(mode, str) and mode in (EXCLUSIVE, SHARED),
    "ttl": lambda ttl: type(ttl) is int,  # of any size: its range is looked at later
    "token": lambda token: is_integer(token) and token >= 1,
    "count": lambda count: is_integer(count) and 1 <= count <= 100000,
    "step": lambda step: is_integer(step) and step >= 0,
    "template": lambda template: isinstance(template, list),
}


def is_of(value, kind):
    return KINDS[kind](value)


# Placeholders (R28)

PLACEHOLDER = re.compile(r"\{i(?:\+([0-9]+))?(?:%([0-9]+))?\}")


def bad_repeat(count, step, template):
    if not template or not isinstance(template[0], str) or template[0] == "repeat":
        return True
    texts = [text for text in template[1:] if isinstance(text, str)]
    for text in texts:
        for add, modulus in PLACEHOLDER.findall(text):
            if max(len(add), len(modulus)) > 1000 or modulus and int(modulus) == 0:
                return True
    return count * sum(map(longest, texts)) > 64 << 20


def longest(text):
    """How many bytes a text may take, whatever i is."""
    size = len(PLACEHOLDER.sub("", text).encode("utf-8", "surrogatepass"))
    for add, modulus in PLACEHOLDER.findall(text):
        a, k = int(add or "0"), int(modulus or "0")
        if k:
            a %= k
        if max(a, k) <= LARGEST:
            size += 20
        else:
            size += len(str(k)) if k else max(len(str(a)), 20) + 1
    return size


def expand(text, i):
    def number(match):
        add, modulus = match.groups()
        n = i + int(add or "0")
        return str(n % int(modulus) if modulus else n)

    return PLACEHOLDER.sub(number, text)


if __name__ == "__main__":
    from adapter import serve

    serve(LockService)

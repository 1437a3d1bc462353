"""A lock service of edition 1, with a bug. Can you see it?

    leasekeeper fuzz --edition 1 --against 'python3 docs/conformance/python/buggy.py'

docs/fuzzing.md tells how it is found.
"""

import json
import re
import sys

DAY = {"second": 86400, "millisecond": 86400 * 10**3, "microsecond": 86400 * 10**6, "nanosecond": 86400 * 10**9}
PLACEHOLDER = re.compile(r"\{i(?:\+([0-9]+))?(?:%([0-9]+))?\}")
NOT_HOLDER, INVALID = "error: not holder", "error: invalid arguments"


class Lock:
    def __init__(self):
        self.token = 0
        self.holder = None
        self.expires_at = None
        self.queue = []  # (client, ttl)
        self.highest = 0
        self.values = {}

    def give(self, client, ttl, now):
        self.token += 1
        self.holder, self.expires_at = client, now + ttl

    def give_to_next(self, now):
        self.holder = self.expires_at = None
        if self.queue:
            client, ttl = self.queue.pop(0)
            self.give(client, ttl, now)

    def expire(self, now):
        while self.holder is not None and self.expires_at <= now:
            self.give_to_next(now)


class Service:
    def __init__(self, unit):
        self.max_ttl = DAY[unit]
        self.max_ts = 2**63 - 1 - self.max_ttl
        self.now = None
        self.locks = {}

    def handle(self, op):
        if not isinstance(op, list) or len(op) < 2:
            return INVALID
        return self.run(op[0], op[1], op[2:])

    def run(self, name, ts, args):
        if not isinstance(name, str) or name not in TYPES:
            return "error: unknown operation"
        if not int64(ts) or ts > self.max_ts:
            return INVALID
        if self.now is not None and ts < self.now:
            return "error: clock went back"
        self.now = ts
        for lock in self.locks.values():
            lock.expire(ts)
        if len(args) != len(TYPES[name]) or not all(check(a) for check, a in zip(TYPES[name], args)):
            return INVALID
        if name == "repeat" and not template_ok(args[0], args[2]):
            return INVALID
        if name in ("acquire", "renew") and not 1 <= args[2] <= self.max_ttl:
            return "error: invalid ttl"
        return getattr(self, name)(*args)

    def lock(self, name):
        return self.locks.setdefault(name, Lock())

    def busy(self, client):
        return any(
            lock.holder == client or any(client == waiting for waiting, _ in lock.queue)
            for lock in self.locks.values()
        )

    def acquire(self, client, name, ttl):
        if self.busy(client):
            return "error: client busy"
        lock = self.lock(name)
        if lock.holder is None:
            lock.give(client, ttl, self.now)
            return ["granted", lock.token, lock.expires_at]
        lock.queue.append((client, ttl))
        return ["queued", len(lock.queue)]

    def renew(self, client, name, ttl):
        lock = self.lock(name)
        if lock.holder != client:
            return NOT_HOLDER
        lock.expires_at = self.now + ttl
        return ["renewed", lock.expires_at]

    def release(self, client, name):
        lock = self.lock(name)
        if lock.holder == client:
            lock.give_to_next(self.now)
            return "released"
        for waiting in lock.queue:
            if waiting[0] == client:
                lock.queue.remove(waiting)
                return "withdrawn"
        return NOT_HOLDER

    def write(self, name, key, value, token):
        lock = self.lock(name)
        if token < lock.highest:
            return "error: stale token"
        lock.highest = token
        lock.values[key] = value
        return "ok"

    def read(self, name, key):
        return self.lock(name).values.get(key)

    def inspect(self, name):
        lock = self.lock(name)
        holders = [[lock.holder, "exclusive", lock.token, lock.expires_at]] if lock.holder is not None else []
        return {"holders": holders, "queue": [[client, "exclusive"] for client, _ in lock.queue]}

    def repeat(self, count, step, template):
        start, results = self.now, {}
        for i in range(count):
            args = [expand(a, i) if isinstance(a, str) else a for a in template[1:]]
            answer = self.run(template[0], start + i * step, args)
            if isinstance(answer, list):
                answer = answer[0]
            if not isinstance(answer, str):
                answer = "other"
            results[answer] = results.get(answer, 0) + 1
        return {"ops": count, "results": results}


def int64(x):
    return type(x) is int and -(2**63) <= x < 2**63


def text(x):
    return isinstance(x, str) and x != "" and not re.search("[\ud800-\udfff]", x)


def integer(x):
    return type(x) is int


TYPES = {
    "acquire": (text, text, integer),
    "renew": (text, text, integer),
    "release": (text, text),
    "write": (text, text, text, lambda x: int64(x) and x >= 1),
    "read": (text, text),
    "inspect": (text,),
    "repeat": (lambda x: int64(x) and 1 <= x <= 100000, lambda x: int64(x) and x >= 0, lambda x: isinstance(x, list)),
}


def template_ok(count, template):
    if not template or not isinstance(template[0], str) or template[0] == "repeat":
        return False
    size = 0
    for arg in template[1:]:
        if not isinstance(arg, str):
            continue
        size += len(PLACEHOLDER.sub("", arg).encode("utf-8", "surrogatepass"))
        for add, mod in PLACEHOLDER.findall(arg):
            if len(add) > 1000 or len(mod) > 1000 or (mod and int(mod) == 0):
                return False
            size += width(int(add or 0), int(mod or 0))
    return count * size <= 64 * 2**20


def width(add, mod):
    """Digits that {i+add%mod} can have."""
    if mod:
        add %= mod
    if add < 2**63 and mod < 2**63:
        return 20
    return len(str(mod)) if mod else max(len(str(add)), 20) + 1


def expand(arg, i):
    def number(match):
        n = i + int(match[1] or 0)
        return str(n % int(match[2])) if match[2] else str(n)

    return PLACEHOLDER.sub(number, arg)


def parse(line):
    # Python reads integers of up to 4300 digits; any longer one is out of range.
    return json.loads(line, parse_int=lambda d: int(d) if len(d) <= 1000 else (-(10**30) if d[0] == "-" else 10**30))


service = None
for line in sys.stdin:
    op = parse(line)
    if isinstance(op, dict) and "reset" in op:
        if op["reset"]["edition"] != 1:
            sys.exit("this service knows edition 1 only")
        service = Service(op["reset"]["unit"])
        print('{"ready":true}', flush=True)
    else:
        print(json.dumps(service.handle(op)), flush=True)

"""Puts a lock service behind both protocols of the conformance check.

A service is a class. Service(edition, unit) makes one that has seen nothing, and
answer(operation) takes an operation, as JSON has it, and returns the answer:

    from adapter import serve
    serve(Service)
"""

import json
import os
import sys


def serve(service):
    """Answers what comes in on standard input, by the protocol it comes in."""
    begin = os.read(0, 65536)
    if begin.startswith(b'{"reset"'):
        stream(service, begin)
    else:
        process(service, begin)


def process(service, text):
    """One history: an array of operations in, an array of answers out."""
    while more := os.read(0, 65536):
        text += more
    fresh = service(int(os.environ.get("LEASEKEEPER_EDITION", "3")), os.environ.get("LEASEKEEPER_UNIT", "second"))
    print(json.dumps([fresh.answer(operation) for operation in read(text)]))


def stream(service, text):
    """Any number of histories, a line for each operation.

    What has come in is answered and then written at once: whoever waits for an
    answer gets it, and whoever sends a thousand operations does not pay for a
    thousand writes.
    """
    current = None
    while text:
        *lines, rest = text.split(b"\n")
        answers = []
        for line in lines:
            operation = read(line)
            if isinstance(operation, dict) and "reset" in operation:
                current = service(operation["reset"]["edition"], operation["reset"]["unit"])
                answers.append('{"ready":true}\n')
            else:
                answers.append(json.dumps(current.answer(operation)) + "\n")
        sys.stdout.write("".join(answers))
        sys.stdout.flush()
        more = os.read(0, 65536)
        text = rest + more if more else b""


def read(text):
    """Reads JSON as the rules want it: integers exactly, however long they are."""
    return json.loads(text, parse_int=integer)


def integer(digits):
    """An integer. Python reads at most 4300 digits; a longer number is beyond
    every range of the rules, and so is this one (R24)."""
    if len(digits) <= 1000:
        return int(digits)
    return -(10**30) if digits.startswith("-") else 10**30


# A deep list is refused like any other argument that should be a string.
sys.setrecursionlimit(20000)

import hashlib, struct, sys

data = open(sys.argv[1], "rb").read()
PAGE = 4096


def need(condition, what):
    if not condition:
        sys.exit("damaged: " + what)


TABLE = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return (crc ^ 0xFFFFFFFF).to_bytes(4, "big")


def fnv1a(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 % 2**64
    return h


def meta(n):
    m = data[n * PAGE:][:80]
    magic, version, size, _, root, _, _, pages, commit, check = struct.unpack("<4I6Q", m[16:])
    need((magic, version, size) == (0xED0CDAED, 2, PAGE) and check == fnv1a(m[16:72]), f"meta page {n}")
    return commit, root, pages


def elements(page):
    """All elements of the tree on or below a page: key, value, whether the value is a bucket."""
    flags, count = struct.unpack_from("<2H", page, 8)
    for row in range(16, 16 + 16 * count, 16):
        if flags == 2:
            kind, at, key, value = struct.unpack_from("<4I", page, row)
            start, end = row + at, row + at + key
            yield page[start:end], page[end:end + value], kind == 1
        else:
            need(flags == 1, "flags of a page")
            yield from tree(struct.unpack_from("<Q", page, row + 8)[0])


def tree(root):
    own, _, _, overflow = struct.unpack_from("<Q2HI", data, root * PAGE)
    need(own == root, f"page {root}")
    return elements(data[root * PAGE:(root + 1 + overflow) * PAGE])


def bucket(value):
    root = struct.unpack_from("<Q", value)[0]
    return tree(root) if root else elements(value[16:])


def checked(key, value):
    need(value[-5] == 0xCE and value[-4:] == crc32c(key + value[:-5]), f"the value of key {key!r}")
    return value[:-5]


def answer(record):
    """The answer of a record, or its hash, and where the event begins."""
    tag = record[20]
    if tag == 0xC4:
        return record[22:54], 54
    start, length = 21, tag & 31
    if tag == 0xD9:
        start, length = 22, record[21]
    if tag == 0xDA:
        start, length = 23, record[21] << 8 | record[22]
    return record[start:start + length].decode(), start + length


(_, root, pages) = max(meta(0), meta(1))
need(len(data) >= pages * PAGE, "the file ends too early")
top = {name: bucket(value) for name, value, _ in tree(root)}
keys = {key: value for key, value, _ in top[b"meta"]}
need(sorted(top) == [b"chain", b"chunks", b"events", b"meta", b"snapshots"], "the buckets")
need(sorted(keys) == [b"genesis", b"head"], "meta")
genesis = checked(b"genesis", keys[b"genesis"])
need(genesis[:22] == b"\x98\xb3leasekeeper journal\x01", "the genesis")
need(genesis.endswith(b"\x00\xc0"), "a compacted journal is left as an exercise")

identity = link = hashlib.sha256(keys[b"genesis"]).digest()
open_link, last = hashlib.sha256(link + identity), 0
for key, value, _ in top[b"events"]:
    last += 1
    need(key == last.to_bytes(8, "big"), f"record {last} is missing")
    record = checked(key, value)
    text, event = answer(record)
    print(last, record[4:20].hex(), text if isinstance(text, str) else text.hex(), record[event:].hex())
    open_link.update(value)
    link = open_link.digest()
    if last % 16 == 0:
        open_link = hashlib.sha256(link + identity)
need(keys[b"head"] == last.to_bytes(8, "big") + link, "the head")

chunks = {key: bucket(value) for key, value, _ in top[b"chunks"]}
for key, value, _ in top[b"snapshots"]:
    checked(key, value)
    content = b""
    for number, chunk, _ in chunks[key]:
        need(chunk[-4:] == crc32c(key + number + chunk[:-4]), "a chunk")
        content += chunk[:-4]
    print("snapshot", int.from_bytes(key, "big"), len(content), hashlib.sha256(content).hexdigest())
print("head", f"{last}:{link.hex()}")

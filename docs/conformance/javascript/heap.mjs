// Heap holds ends of leases; the first is the earliest, and of equal ones that of
// the lease that was granted first (R1).
export class Heap {
  #items = []

  first() {
    return this.#items[0]
  }

  push(item) {
    const items = this.#items
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(items[at], items[parent])) break
      this.#swap(at, parent)
      at = parent
    }
  }

  pop() {
    const items = this.#items
    this.#swap(0, items.length - 1)
    items.pop()
    for (let at = 0; ; ) {
      let least = at
      for (const kid of [2 * at + 1, 2 * at + 2]) {
        if (kid < items.length && before(items[kid], items[least])) least = kid
      }
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #swap(a, b) {
    const items = this.#items
    ;[items[a], items[b]] = [items[b], items[a]]
  }
}

function before(a, b) {
  return a.end < b.end || (a.end === b.end && a.turn < b.turn)
}

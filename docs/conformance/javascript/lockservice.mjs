// A complete lock service by the rules of leasekeeper, editions 1 to 3.
//
//   leasekeeper fuzz --against 'node docs/conformance/javascript/lockservice.mjs'
//
// R-numbers are those of docs/rules.md.

import { serve } from './adapter.mjs'
import { badRepeat, expand, fits, shapeOf } from './arguments.mjs'
import { Heap } from './heap.mjs'

const INVALID = 'error: invalid arguments'
const TICKS = { second: 1n, millisecond: 10n ** 3n, microsecond: 10n ** 6n, nanosecond: 10n ** 9n }

class Lock {
  counter = 0n // tokens given so far (R5)
  holders = new Map() // leases by client, in the order of their tokens
  queue = [] // requests, oldest first (R4)
  mark = 0n // highest token that the store accepted (R6)
  values = new Map()

  // admits tells whether a request goes with the holders, who are all of one
  // mode (R9).
  admits(mode) {
    for (const holder of this.holders.values()) return mode === 'shared' && holder.mode === 'shared'
    return true
  }
}

export class LockService {
  constructor(edition, unit) {
    this.edition = edition
    this.longestTTL = 86400n * TICKS[unit] // R30
    this.largestInstant = 2n ** 63n - 1n - this.longestTTL // R24
    this.clock = null
    this.locks = new Map()
    this.holds = new Map() // by client: its leases by lock
    this.waits = new Map() // by client: the lock that it waits for
    this.ages = new Map() // R15
    this.registrations = 0n
    this.grants = 0
    this.ends = new Heap() // of all leases, by end; ends that were moved stay in it
  }

  // The way in (R23)

  answer(operation) {
    if (!Array.isArray(operation) || operation.length < 2) return INVALID
    const [name, ts, ...args] = operation
    return this.operate(name, ts, args)
  }

  operate(name, ts, args) {
    const shape = shapeOf(name, this.edition, args.length)
    if (!shape) return 'error: unknown operation'
    if (!fits('instant', ts) || ts > this.largestInstant) return INVALID
    if (this.clock !== null && ts < this.clock) return 'error: clock went back' // R26
    this.advance(ts)
    if (args.length !== shape.length || !shape.every((kind, i) => fits(kind, args[i]))) return INVALID
    if (name === 'repeat' && badRepeat(...args)) return INVALID
    if (shape.includes('ttl') && (args[2] < 1n || args[2] > this.longestTTL)) return 'error: invalid ttl' // R2
    return this[name](...args)
  }

  // Time (R1, R3)

  advance(ts) {
    this.clock = ts
    for (let first = this.ends.first(); first && first.end <= ts; first = this.ends.first()) {
      this.ends.pop()
      const { end, lock, lease } = first
      if (this.lease(lease.client, lock) === lease && lease.expiresAt === end) this.finish(lock, lease, end)
    }
  }

  lease(client, lock) {
    return this.holds.get(client)?.get(lock)
  }

  row(lock) {
    if (!this.locks.has(lock)) this.locks.set(lock, new Lock())
    return this.locks.get(lock)
  }

  // finish ends a lease and hands the lock over, at the same instant.
  finish(lock, lease, at) {
    this.locks.get(lock).holders.delete(lease.client)
    this.holds.get(lease.client).delete(lock)
    this.handOver(lock, at)
  }

  // handOver grants from the head of the queue what goes with the holders (R11).
  handOver(lock, at) {
    const row = this.locks.get(lock)
    while (row.queue.length > 0 && row.admits(row.queue[0].mode)) {
      const request = row.queue.shift()
      this.waits.delete(request.client)
      this.grant(lock, request, at)
    }
  }

  grant(lock, { client, mode, ttl }, at) {
    const row = this.row(lock)
    row.counter++
    this.grants++
    const lease = { client, mode, token: row.counter, turn: this.grants, expiresAt: null }
    row.holders.set(client, lease)
    if (!this.holds.has(client)) this.holds.set(client, new Map())
    this.holds.get(client).set(lock, lease)
    this.prolong(lock, lease, at + ttl)
    return lease
  }

  prolong(lock, lease, end) {
    lease.expiresAt = end
    this.ends.push({ end, turn: lease.turn, lock, lease })
  }

  // Leases

  acquire(client, lock, ttl, mode = 'exclusive') {
    const holds = this.holds.get(client) ?? new Map()
    if (this.waits.has(client) || (this.edition >= 3 ? holds.has(lock) : holds.size > 0)) {
      return 'error: client busy' // R8, R14
    }
    if (!this.ages.has(client)) this.ages.set(client, ++this.registrations)
    const row = this.row(lock)
    const request = { client, mode, ttl }
    if (row.queue.length === 0 && row.admits(mode)) { // R10
      const lease = this.grant(lock, request, this.clock)
      return ['granted', lease.token, lease.expiresAt]
    }
    row.queue.push(request)
    this.waits.set(client, lock)
    const victims = this.edition >= 3 ? this.resolve(client) : []
    if (victims.includes(client)) return ['deadlock', victims] // R20
    const lease = this.lease(client, lock)
    const answer = lease
      ? ['granted', lease.token, lease.expiresAt]
      : ['queued', row.queue.indexOf(request) + 1]
    return victims.length > 0 ? [...answer, victims] : answer
  }

  renew(client, lock, ttl) {
    const lease = this.lease(client, lock)
    if (!lease) return 'error: not holder'
    this.prolong(lock, lease, this.clock + ttl)
    return ['renewed', lease.expiresAt]
  }

  release(client, lock) {
    const lease = this.lease(client, lock)
    if (lease) {
      this.finish(lock, lease, this.clock)
      return 'released'
    }
    if (this.waits.get(client) !== lock) return 'error: not holder'
    this.withdraw(client)
    return 'withdrawn'
  }

  // withdraw takes a request back (R13).
  withdraw(client) {
    const lock = this.waits.get(client)
    const row = this.locks.get(lock)
    this.waits.delete(client)
    row.queue = row.queue.filter((request) => request.client !== client)
    this.handOver(lock, this.clock)
  }

  // Deadlocks

  // resolve aborts the youngest of the cycle until there is none (R18). Nobody
  // waits for a client that holds nothing and is the last in its queue.
  resolve(requester) {
    const victims = []
    while (this.holds.get(requester)?.size > 0) {
      const reached = this.reachable(requester)
      if (!reached.has(requester)) break
      const cycle = [...reached].filter((client) => this.reachable(client).has(requester))
      const youngest = cycle.reduce((a, b) => (this.ages.get(a) > this.ages.get(b) ? a : b))
      victims.push(youngest)
      this.abort(youngest)
    }
    return victims
  }

  reachable(client) {
    const reached = new Set()
    const left = [client]
    while (left.length > 0) {
      for (const next of this.waitsFor(left.pop())) {
        if (reached.has(next)) continue
        reached.add(next)
        left.push(next)
      }
    }
    return reached
  }

  // waitsFor lists the holders of the lock that a client waits for, and who is
  // ahead of it (R16).
  waitsFor(client) {
    if (!this.waits.has(client)) return []
    const row = this.locks.get(this.waits.get(client))
    const place = row.queue.findIndex((request) => request.client === client)
    return [...row.holders.keys(), ...row.queue.slice(0, place).map((request) => request.client)]
  }

  // abort takes all from a client (R19).
  abort(client) {
    this.withdraw(client)
    for (const [lock, lease] of this.leases(client)) this.finish(lock, lease, this.clock)
    this.ages.delete(client)
  }

  // leases lists the leases of a client by lock, in the order of UTF-8 bytes
  // (R25). Strings are compared by UTF-16 units here, which is another order.
  leases(client) {
    return [...(this.holds.get(client) ?? [])].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  }

  // Store (R6)

  write(lock, key, value, token) {
    const row = this.row(lock)
    if (token < row.mark) return 'error: stale token'
    row.mark = token
    row.values.set(key, value)
    return 'ok'
  }

  read(lock, key) {
    return this.locks.get(lock)?.values.get(key) ?? null
  }

  // Views (R21, R22)

  inspect(lock) {
    const row = this.locks.get(lock) ?? new Lock()
    return {
      holders: [...row.holders.values()].map((h) => [h.client, h.mode, h.token, h.expiresAt]),
      queue: row.queue.map((request) => [request.client, request.mode]),
    }
  }

  status(client) {
    return {
      age: this.ages.get(client) ?? null,
      holds: this.leases(client).map(([lock, lease]) => [lock, lease.mode, lease.token, lease.expiresAt]),
      waiting: this.waits.get(client) ?? null,
    }
  }

  // Repeat (R27)

  repeat(count, step, template) {
    const [name, ...args] = template
    const first = this.clock
    const tally = new Map() // not an object, which has a field "__proto__"
    const add = (key, times) => tally.set(key, (tally.get(key) ?? 0) + times)
    for (let i = 0n; i < count; i++) {
      const expanded = args.map((text) => (typeof text === 'string' ? expand(text, i) : text))
      const answer = this.operate(name, first + i * step, expanded)
      const key = Array.isArray(answer) ? answer[0] : answer
      add(typeof key === 'string' ? key : 'other', 1)
      if (Array.isArray(answer) && Array.isArray(answer.at(-1))) add('aborted', answer.at(-1).length)
    }
    return { ops: count, results: tally }
  }
}

serve(LockService)

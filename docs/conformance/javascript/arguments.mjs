// What arguments an operation takes, and what a repeat makes of its template.

const SHAPES = new Map(Object.entries({
  acquire: ['text', 'text', 'ttl'],
  renew: ['text', 'text', 'ttl'],
  release: ['text', 'text'],
  write: ['text', 'text', 'text', 'token'],
  read: ['text', 'text'],
  inspect: ['text'],
  status: ['text'],
  repeat: ['count', 'step', 'template'],
}))

// shapeOf lists the kinds of arguments that an operation takes, or nothing if the
// edition does not know it (R29).
export function shapeOf(name, edition, given) {
  if (name === 'status' && edition < 3) return undefined
  const shape = SHAPES.get(name)
  const withMode = name === 'acquire' && edition >= 2 && given > shape.length
  return withMode ? [...shape, 'mode'] : shape
}

const LARGEST = 2n ** 63n - 1n

function isInteger(value) {
  return typeof value === 'bigint' && value >= -(2n ** 63n) && value <= LARGEST
}

const KINDS = {
  instant: isInteger,
  text: (value) => typeof value === 'string' && value !== '' && value.isWellFormed(), // R25
  mode: (value) => value === 'exclusive' || value === 'shared',
  ttl: (value) => typeof value === 'bigint', // of any size: its range is looked at later
  token: (value) => isInteger(value) && value >= 1n,
  count: (value) => isInteger(value) && value >= 1n && value <= 100000n,
  step: (value) => isInteger(value) && value >= 0n,
  template: Array.isArray,
}

export function fits(kind, value) {
  return KINDS[kind](value)
}

// Placeholders (R28)

const PLACEHOLDER = /\{i(?:\+([0-9]+))?(?:%([0-9]+))?\}/g

const BARE = /\{i(?:\+[0-9]+)?(?:%[0-9]+)?\}/

// badRepeat tells whether a template is wrong, or too much comes of it (R27).
export function badRepeat(count, step, [name, ...args]) {
  if (typeof name !== 'string' || name === 'repeat') return true
  const texts = args.filter((value) => typeof value === 'string')
  for (const text of texts) {
    for (const [, add = '', modulus = ''] of text.matchAll(PLACEHOLDER)) {
      if (add.length > 1000 || modulus.length > 1000 || /^0+$/.test(modulus)) return true
    }
  }
  return Number(count) * texts.reduce((sum, text) => sum + longest(text), 0) > 64 * 2 ** 20
}

// longest is how many bytes a text may take, whatever i is.
function longest(text) {
  let size = 0
  for (const literal of text.split(BARE)) size += Buffer.byteLength(literal)
  for (const [, add = '0', modulus = '0'] of text.matchAll(PLACEHOLDER)) {
    const k = BigInt(modulus)
    const a = k > 0n ? BigInt(add) % k : BigInt(add)
    if (a <= LARGEST && k <= LARGEST) size += 20
    else size += k > 0n ? String(k).length : Math.max(String(a).length, 20) + 1
  }
  return size
}

export function expand(text, i) {
  return text.replace(PLACEHOLDER, (_, add = '0', modulus) => {
    const n = i + BigInt(add)
    return String(modulus === undefined ? n : n % BigInt(modulus))
  })
}

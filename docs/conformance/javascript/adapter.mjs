// Puts a lock service behind both protocols of the conformance check, without
// dependencies. It needs Node 20.
//
//   import { serve } from './adapter.mjs'
//   serve(Service)
//
// new Service(edition, unit) has seen nothing; answer(operation) takes an operation
// and returns the answer. Integers are BigInts on both ways, since a Number rounds
// beyond 2^53 (R24); objects with fields in an order of their own may be Maps.

export function serve(Service) {
  let begun = false
  let streams = false
  let text = ''
  let service
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (more) => {
    text += more
    if (!begun) {
      begun = true
      streams = text.startsWith('{"reset"')
    }
    if (!streams) return
    // Not readline: it takes U+2028 inside of a string for the end of a line.
    const lines = text.split('\n')
    text = lines.pop()
    let answers = ''
    for (const line of lines) {
      if (line.startsWith('{"reset"')) {
        const { edition, unit } = JSON.parse(line).reset
        service = new Service(edition, unit)
        answers += '{"ready":true}\n'
      } else {
        answers += write(service.answer(read(line))) + '\n'
      }
    }
    process.stdout.write(answers) // one write for all that has come in
  })
  process.stdin.on('end', () => {
    if (streams) return
    const { LEASEKEEPER_EDITION = '3', LEASEKEEPER_UNIT = 'second' } = process.env
    const fresh = new Service(Number(LEASEKEEPER_EDITION), LEASEKEEPER_UNIT)
    console.log(write(read(text).map((operation) => fresh.answer(operation))))
  })
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

// read reads JSON with its integers as BigInts. JSON.parse would make 60 of 60.0,
// which is no integer, and round what is long. So every integer goes through it
// as a string that begins with i, and every string as one that begins with s.
export function read(text) {
  const marked = text.replace(TOKEN, (token) => {
    if (token[0] === '"') return '"s' + token.slice(1)
    return /^-?\d+$/.test(token) ? `"i${token}"` : token
  })
  return restore(JSON.parse(marked), 4)
}

// restore takes the marks away again. Nothing that is deeper than an argument of a
// template matters, so a list of any depth can be read.
function restore(value, depth) {
  if (typeof value === 'string') return value[0] === 's' ? value.slice(1) : integer(value.slice(1))
  if (!Array.isArray(value) || depth === 0) return value
  return value.map((element) => restore(element, depth - 1))
}

// integer reads an integer. One that is beyond every range stays beyond it, but
// need not be calculated digit by digit.
function integer(digits) {
  if (digits.length <= 1000) return BigInt(digits)
  return digits[0] === '-' ? -(10n ** 30n) : 10n ** 30n
}

// write writes JSON. JSON.stringify refuses BigInts.
export function write(value) {
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return '[' + value.map(write).join(',') + ']'
  const fields = value instanceof Map ? [...value] : Object.entries(value)
  return '{' + fields.map(([name, field]) => JSON.stringify(name) + ':' + write(field)).join(',') + '}'
}

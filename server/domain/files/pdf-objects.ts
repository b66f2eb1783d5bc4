/**
 * What a PDF may not contain. `active`: scripts, actions that start a program or send data,
 * embedded files and forms with code. `encrypted` and `unreadable` files cannot be checked.
 */
export type PdfProblem = 'active' | 'encrypted' | 'unreadable'

/** A compressed stream of objects, from its first byte. Its length is the stream's own. */
export type ObjectStream = { start: number }

/** ISO 32000-2, 7.11 (files), 12.6 (actions), 12.7 (forms), 13 (media). */
const activeNames = new Set([
  'JavaScript',
  'JS',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'EF',
  'FileAttachment',
  'GoToE',
  'AA',
  'RichMedia',
  'XFA',
  'SubmitForm',
  'ImportData',
])

const codes = (letters: string): Uint8Array => Uint8Array.from(letters, (letter) => letter.charCodeAt(0))

/** 1 for white space, 2 for a delimiter, 0 for the rest (ISO 32000-2, 7.2.3). */
const classes = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) classes[byte] = 1
for (const byte of codes('()<>[]{}/%')) classes[byte] = 2

const slash = 0x2f
const hash = 0x23

const hexDigit = (byte: number | undefined): number => {
  const digit = byte === undefined ? Number.NaN : Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(digit) ? -1 : digit
}

/** Longer names are none of ours, even when every byte is written as `#xx`. */
const longestName = 64

/** Reads the name whose slash is at `at`: its text without escapes, and the offset after it. */
function readName(bytes: Uint8Array, at: number): { name: string; end: number } {
  let end = at + 1
  while (end < bytes.length && classes[bytes[end] ?? 0] === 0) end++
  if (end - at > longestName) return { name: '', end }
  let name = ''
  for (let i = at + 1; i < end; i++) {
    const [high, low] = bytes[i] === hash ? [hexDigit(bytes[i + 1]), hexDigit(bytes[i + 2])] : [-1, -1]
    const isEscape = high >= 0 && low >= 0 && i + 2 < end
    name += String.fromCharCode(isEscape ? high * 16 + low : (bytes[i] ?? 0))
    if (isEscape) i += 2
  }
  return { name, end }
}

const problemOf = (name: string): PdfProblem | null =>
  name === 'Encrypt' ? 'encrypted' : activeNames.has(name) ? 'active' : null

/** Whether a name can be one of ours by its first byte, which may be escaped. */
const firstBytes = new Uint8Array(256)
for (const name of [...activeNames, 'Encrypt', '#']) firstBytes[name.charCodeAt(0)] = 1

/**
 * Checks the text of an object stream. An object may start anywhere in it, also inside what looks
 * like a string, so every name counts.
 */
export function findNamedProblem(bytes: Uint8Array): PdfProblem | null {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== slash || firstBytes[bytes[at + 1] ?? 0] === 0) continue
    const problem = problemOf(readName(bytes, at).name)
    if (problem) return problem
  }
  return null
}

const trailerKeyword = codes('trailer')
const streamKeyword = codes('stream')

const isAt = (bytes: Uint8Array, at: number, letters: Uint8Array): boolean =>
  letters.every((letter, i) => bytes[at + i] === letter)

const isNumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e

/** The offset behind a keyword that a value follows (`obj` or `trailer`), or null. */
function endOfKeyword(bytes: Uint8Array, at: number): number | null {
  const byte = bytes[at]
  if (byte === 0x6f && bytes[at + 1] === 0x62 && bytes[at + 2] === 0x6a) {
    const before = bytes[at - 1] ?? 0
    return classes[before] === 1 || isNumeric(before) ? at + 3 : null
  }
  if (byte !== 0x74 || bytes[at + 1] !== 0x72) return null
  return isAt(bytes, at, trailerKeyword) ? at + trailerKeyword.length : null
}

/** How many bytes are checked before the caller may do other work. */
const pauseBytes = 512 * 1024
/** Values may overlap: a string of one can contain another. In real files they hardly do. */
const maxOverlap = 2
/** Longer than any object but a stream's data, and read without a pause. */
const maxValueBytes = 2 * 1024 * 1024
const maxDepth = 200

type Dictionary = { isObjectStream: boolean; filters: string[]; hasParameters: boolean }

/**
 * Checks a PDF as its readers see it. A reader takes an object at any offset where a number,
 * a number and `obj` are, also inside a stream, a string or a comment. So one value is read after
 * every `obj`, and after every `trailer`. Strings, streams and comments are not searched for names,
 * because they hold text and pictures.
 *
 * Yields the object streams, which the caller inflates and gives to `findNamedProblem`, and null
 * when it may do other work. Returns the problem. A file that breaks the grammar inside an object
 * is `unreadable`, because readers repair it in different ways.
 */
export function* checkPdfObjects(
  bytes: Uint8Array,
): Generator<ObjectStream | null, PdfProblem | null, undefined> {
  let budget = bytes.length * maxOverlap + pauseBytes
  let pauseAt = pauseBytes
  for (let at = 0; at < bytes.length; at++) {
    const from = endOfKeyword(bytes, at)
    if (from === null) continue
    const value = readValue(bytes, from, Math.min(budget, maxValueBytes))
    if (typeof value === 'string') return value
    budget -= value.end - at
    if (budget < 0) return 'unreadable'
    if (bytes.length * maxOverlap - budget > pauseAt || at > pauseAt) {
      pauseAt += pauseBytes
      yield null
    }
    if (!value.dictionary?.isObjectStream) continue
    const { start, end } = findStream(bytes, value.end)
    budget -= end - value.end
    if (start === null) continue
    const { filters, hasParameters } = value.dictionary
    const isInflatable = filters.length === 1 && /^(FlateDecode|Fl)$/.test(filters[0] ?? '')
    if (!isInflatable || hasParameters) return 'unreadable'
    yield { start }
  }
  return null
}

type Token =
  | { kind: 'name'; name: string; end: number }
  | { kind: 'open' | 'close'; of: 'dictionary' | 'array'; end: number }
  | { kind: 'string' | 'number' | 'constant' | 'reference' | 'keyword' | 'end'; end: number }

/** Where white space and comments end. */
function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    while (at < bytes.length && classes[bytes[at] ?? 0] === 1) at++
    if (bytes[at] !== 0x25) return at
    while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
  }
}

/** Where a string in parentheses ends; they nest, and a backslash escapes one. */
function endOfString(bytes: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x5c) at++
    else if (byte === 0x28) depth++
    else if (byte === 0x29 && --depth === 0) return at + 1
  }
  return bytes.length
}

const constants = new Set(['true', 'false', 'null'])

function nextToken(bytes: Uint8Array, from: number): Token {
  const at = skipSpace(bytes, from)
  const byte = bytes[at]
  if (byte === undefined) return { kind: 'end', end: at }
  if (byte === slash) return { kind: 'name', ...readName(bytes, at) }
  if (byte === 0x28) return { kind: 'string', end: endOfString(bytes, at) }
  if (byte === 0x5b) return { kind: 'open', of: 'array', end: at + 1 }
  if (byte === 0x5d) return { kind: 'close', of: 'array', end: at + 1 }
  if (byte === 0x3c || byte === 0x3e) {
    const isDouble = bytes[at + 1] === byte
    if (isDouble) return { kind: byte === 0x3c ? 'open' : 'close', of: 'dictionary', end: at + 2 }
    if (byte === 0x3e) return { kind: 'keyword', end: at + 1 }
    const close = bytes.indexOf(0x3e, at)
    return { kind: 'string', end: close === -1 ? bytes.length : close + 1 }
  }
  if (classes[byte] === 2) return { kind: 'keyword', end: at + 1 }
  let end = at + 1
  while (end < bytes.length && classes[bytes[end] ?? 0] === 0) end++
  if (isNumeric(byte)) return { kind: 'number', end }
  const word = end - at > longestName ? '' : String.fromCharCode(...bytes.subarray(at, end))
  if (word === 'R') return { kind: 'reference', end }
  return { kind: constants.has(word) ? 'constant' : 'keyword', end }
}

type Frame = { of: 'dictionary' | 'array'; key: string | null }

/**
 * Reads one value. Its dictionary is that of the value itself, not one inside it.
 * @param maxBytes how many bytes a dictionary or an array may have
 */
function readValue(
  bytes: Uint8Array,
  from: number,
  maxBytes: number,
): { end: number; dictionary: Dictionary | null } | PdfProblem {
  const first = nextToken(bytes, from)
  if (first.kind !== 'open') return { end: first.end, dictionary: null }
  const stack: Frame[] = [{ of: first.of, key: null }]
  const dictionary: Dictionary = { isObjectStream: false, filters: [], hasParameters: false }
  let at = first.end
  for (;;) {
    const token = nextToken(bytes, at)
    const frame = stack.at(-1)
    if (!frame) return { end: at, dictionary: first.of === 'dictionary' ? dictionary : null }
    at = token.end
    if (at - from > maxBytes || token.kind === 'end') return 'unreadable'
    const isKeyExpected = frame.of === 'dictionary' && frame.key === null
    if (token.kind === 'close') {
      if (token.of !== frame.of || (frame.of === 'dictionary' && frame.key !== null)) return 'unreadable'
      stack.pop()
      const outer = stack.at(-1)
      if (outer) outer.key = null
      if (!outer) return { end: at, dictionary: first.of === 'dictionary' ? dictionary : null }
      continue
    }
    if (token.kind === 'name') {
      const problem = problemOf(token.name)
      if (problem) return problem
      noteStreamName(dictionary, stack, token.name)
      frame.key = isKeyExpected ? token.name : null
      continue
    }
    if (isKeyExpected) {
      // The rest of `12 0 R`, whose first number was the value.
      if (token.kind === 'number' || token.kind === 'reference') continue
      return 'unreadable'
    }
    if (token.kind === 'keyword') return 'unreadable'
    if (token.kind === 'open') {
      if (stack.length === maxDepth) return 'unreadable'
      stack.push({ of: token.of, key: null })
      continue
    }
    if (frame.key === 'Filter' && stack.length === 1 && token.kind === 'number') dictionary.filters.push('')
    frame.key = null
  }
}

/** Notes what a name of a stream's own dictionary says about its data. */
function noteStreamName(dictionary: Dictionary, stack: readonly Frame[], name: string): void {
  const [own, inner] = stack
  if (own?.of !== 'dictionary') return
  const isOwn = stack.length === 1
  const isFilter = own.key === 'Filter' && (isOwn || (stack.length === 2 && inner?.of === 'array'))
  if (isFilter) dictionary.filters.push(name)
  else if (isOwn && (name === 'First' || name === 'ObjStm')) dictionary.isObjectStream = true
  else if (isOwn && (name === 'DecodeParms' || name === 'DP')) dictionary.hasParameters = true
}

/** Where the data of a stream begins: null when the value is no stream. `end` is what was read. */
function findStream(bytes: Uint8Array, from: number): { start: number | null; end: number } {
  const at = skipSpace(bytes, from)
  if (!isAt(bytes, at, streamKeyword)) return { start: null, end: at }
  let start = at + streamKeyword.length
  while (bytes[start] === 32) start++
  if (bytes[start] === 13) start++
  if (bytes[start] === 10) start++
  return { start, end: start }
}

/** One encoding of a value: the text to search for, and whether its case must match. */
type EncodedForm = { name: string; text: string; exact: boolean }

/**
 * The base64 characters of a value depend on its offset modulo three. The first and last ones also
 * depend on its neighbors, so they are cut off.
 */
function base64Forms(value: string, encoding: 'base64' | 'base64url'): EncodedForm[] {
  return [0, 1, 2].map((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)])
      .toString(encoding)
      .replace(/=+$/, '')
    const [from, to] = [Math.ceil((shift * 8) / 6), Math.floor(((shift + Buffer.byteLength(value)) * 8) / 6)]
    return { name: `${encoding} at ${shift}`, text: padded.slice(from, to), exact: true }
  })
}

const asHtml = (value: string): string =>
  value.replace(/[&<>"'’]/g, (letter) => `&#x${letter.codePointAt(0)?.toString(16)};`)

const asAscii = (value: string): string =>
  JSON.stringify(value)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The encodings in which a value could leak. */
export const encodedFormsOf = (value: string): EncodedForm[] => [
  { name: 'plain', text: value, exact: false },
  { name: 'as JSON', text: JSON.stringify(value).slice(1, -1), exact: false },
  { name: 'as ASCII JSON', text: asAscii(value), exact: false },
  { name: 'URL-encoded', text: encodeURIComponent(value), exact: false },
  { name: 'form-encoded', text: new URLSearchParams({ v: value }).toString().slice(2), exact: false },
  { name: 'HTML', text: asHtml(value), exact: false },
  { name: 'hex', text: Buffer.from(value).toString('hex'), exact: false },
  { name: 'UTF-16', text: Buffer.from(value, 'utf16le').toString('utf8'), exact: false },
  ...base64Forms(value, 'base64'),
  ...base64Forms(value, 'base64url'),
]

/** One character per byte, so that the UTF-8 bytes of a value can be searched as text. */
const letters = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** The values that these bytes contain in any encoding, as `name: encoding`. */
export function tracesIn(bytes: Uint8Array, values: Readonly<Record<string, string>>): string[] {
  const text = letters(bytes)
  const lower = text.toLowerCase()
  return Object.entries(values).flatMap(([name, value]) => {
    if (value.length < 7) throw new Error(`${name} is too short: it could occur by chance.`)
    return encodedFormsOf(value)
      .filter((form) => {
        const needle = letters(Buffer.from(form.text))
        return form.exact ? text.includes(needle) : lower.includes(needle.toLowerCase())
      })
      .map((form) => `${name}: ${form.name}`)
  })
}

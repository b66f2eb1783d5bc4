/** A way in which a value may stand somewhere: what to look for, and whether its letters' case counts. */
type Form = { name: string; text: string; exact: boolean }

/** In base64 a value's letters depend on where it begins, modulo three; the outer ones on its neighbours, too. */
function base64Forms(value: string, encoding: 'base64' | 'base64url'): Form[] {
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

/** The ways in which a value would betray itself. */
export const formsOf = (value: string): Form[] => [
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

/** Bytes, each as one letter: UTF-8 in them is found by the same letters of what is looked for. */
const letters = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** Which of the values stand in these bytes in any form, as `name: form`. */
export function tracesIn(bytes: Uint8Array, values: Readonly<Record<string, string>>): string[] {
  const text = letters(bytes)
  const lower = text.toLowerCase()
  return Object.entries(values).flatMap(([name, value]) => {
    if (value.length < 7) throw new Error(`${name} is too short to be told from chance.`)
    return formsOf(value)
      .filter((form) => {
        const sought = letters(Buffer.from(form.text))
        return form.exact ? text.includes(sought) : lower.includes(sought.toLowerCase())
      })
      .map((form) => `${name}: ${form.name}`)
  })
}

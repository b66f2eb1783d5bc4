import { packOf, strengthOf, type Illustration } from './illustration.ts'

export const paper = '#fbfdfd'

/** A paper label with the name on one line or two, then the strength, which breaks where it says "per". */
export function label(
  input: Illustration,
  ink: string,
  x: number,
  y: number,
  width: number,
  height: number,
): string {
  const room = width - 8
  const names = linesOf(input.name.trim(), room)
  const nameSize = Math.min(...names.map((line) => fit(line, room, 9)))
  const strength = clip(strengthOf(input) || packOf(input), 24)
  const strengths = fit(strength, room, 8, regular) < 5 ? strength.split(/(?<=\/)/).slice(0, 2) : [strength]
  const strengthSize = Math.min(
    ...strengths.map((line) => fit(line, room, strengths.length > 1 ? 6.5 : 8, regular)),
  )
  const lines = [
    ...names.map((line) => ({ line, size: nameSize, weight: 700 })),
    ...strengths.map((line) => ({ line, size: strengthSize, weight: 400 })),
  ]
  const step = (size: number) => (size * 0.4 + 5.2) * (lines.length > 3 ? 0.85 : 1)
  const tall = lines.reduce((sum, { size }) => sum + step(size), 0)
  let baseline = y + (height - 4 - tall) / 2 - 1.6
  const written = lines.map(({ line, size, weight }) => {
    baseline += step(size)
    return `<text x="${x + width / 2}" y="${Math.round(baseline * 10) / 10}" font-size="${size}" font-weight="${weight}" fill="${ink}">${escapeXml(line)}</text>`
  })
  return box(x, y, width, height, 0, paper) + box(x, y + height - 4, width, 4, 0, ink) + written.join('')
}

/** A rectangle; `more` are attributes besides. */
export const box = (
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  fill: string,
  more = '',
): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}"${radius ? ` rx="${radius}"` : ''} fill="${fill}"${more}/>`

/** How wide a letter is, of its size. */
const bold = 0.6
const regular = 0.53

/** The largest size at which a line stays within the width. */
export const fit = (line: string, width: number, largest: number, letter = bold): number =>
  Math.round(Math.min(largest, width / (Math.max(line.length, 1) * letter)) * 10) / 10

/** A text of so many letters, the last of them "…" where it was longer. */
export const clip = (text: string, length: number): string => {
  const letters = [...text.toWellFormed()]
  return letters.length > length
    ? `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
    : letters.join('')
}

/** What a line of a label can carry in letters that are still read. */
const lineLength = 16

/**
 * A name on a line or two. Of several ingredients too long for that, the first words, as "Amlodipine" and "+ benazepril",
 * or "+ 2 more"; one long word breaks after a vowel; of the rest the end is clipped.
 */
function linesOf(name: string, room: number): string[] {
  if (fit(name, room, 9) >= 6) return [name]
  const words = name.split(/[\s;,/]+/)
  if (words.length === 1) return syllables(clip(name, 24))
  const ingredients = name.split(/\s*[;,/]\s*(?:and\s+)?|\s+and\s+/)
  if (name.length > 2 * lineLength && ingredients.length > 1) {
    const [first = '', second = ''] = ingredients.map((ingredient) => ingredient.split(' ')[0])
    return [
      clip(first, lineLength),
      ingredients.length === 2 ? clip(`+ ${second}`, lineLength) : `+ ${ingredients.length - 1} more`,
    ]
  }
  // Of a name too long for both lines the first is filled; a shorter one breaks where its lines are most even.
  const overfull = name.length > 2 * lineLength
  const first = (cut: number) => words.slice(0, cut).join(' ').length
  const longest = (cut: number) => Math.max(first(cut), name.length - first(cut))
  let best = 1
  for (let at = 2; at < words.length; at++) {
    if (overfull ? first(at) <= lineLength : longest(at) < longest(best)) best = at
  }
  return [clip(words.slice(0, best).join(' '), lineLength), clip(words.slice(best).join(' '), lineLength)]
}

/** One long word in two, after the vowel nearest to its middle. */
function syllables(word: string): string[] {
  const letters = [...word]
  const middle = letters.length / 2
  let best = 0
  for (let at = 4; at < letters.length - 3; at++) {
    const isBreak = /[aeiouy][^aeiouy]/i.test(letters.slice(at - 1, at + 1).join(''))
    if (isBreak && Math.abs(at - middle) < Math.abs(best - middle)) best = at
  }
  if (best === 0) return [clip(word, lineLength)]
  return [`${letters.slice(0, best).join('')}-`, letters.slice(best).join('')]
}

/** A text as it may stand in an SVG. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // Control characters are not allowed in XML 1.0, escaped or not.
    .replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, ' ')
    .replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)

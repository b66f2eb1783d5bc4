import { illustratedPack, illustratedStrength, type Illustration } from './illustration.ts'

export const paper = '#fbfdfd'

/** A paper label: the name on one or two lines, then the strength, which wraps after a slash. */
export function label(
  input: Illustration,
  ink: string,
  x: number,
  y: number,
  width: number,
  height: number,
): string {
  const available = width - 8
  const names = linesOf(input.name.trim(), available)
  const nameSize = Math.min(...names.map((line) => fit(line, available, 9)))
  const strength = clip(illustratedStrength(input) || illustratedPack(input), 24)
  const strengths =
    fit(strength, available, 8, regular) < 5 ? strength.split(/(?<=\/)/).slice(0, 2) : [strength]
  const strengthSize = Math.min(
    ...strengths.map((line) => fit(line, available, strengths.length > 1 ? 6.5 : 8, regular)),
  )
  const lines = [
    ...names.map((line) => ({ line, size: nameSize, weight: 700 })),
    ...strengths.map((line) => ({ line, size: strengthSize, weight: 400 })),
  ]
  const step = (size: number) => (size * 0.4 + 5.2) * (lines.length > 3 ? 0.85 : 1)
  const totalHeight = lines.reduce((sum, { size }) => sum + step(size), 0)
  let baseline = y + (height - 4 - totalHeight) / 2 - 1.6
  const elements = lines.map(({ line, size, weight }) => {
    baseline += step(size)
    return `<text x="${x + width / 2}" y="${Math.round(baseline * 10) / 10}" font-size="${size}" font-weight="${weight}" fill="${ink}">${escapeXml(line)}</text>`
  })
  return box(x, y, width, height, 0, paper) + box(x, y + height - 4, width, 4, 0, ink) + elements.join('')
}

/** A rectangle. `attributes` is appended to the element. */
export const box = (
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  fill: string,
  attributes = '',
): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}"${radius ? ` rx="${radius}"` : ''} fill="${fill}"${attributes}/>`

/** Average letter width relative to the font size. */
const bold = 0.6
const regular = 0.53

/** The largest font size at which a line fits the width. */
export const fit = (line: string, width: number, largest: number, letter = bold): number =>
  Math.round(Math.min(largest, width / (Math.max(line.length, 1) * letter)) * 10) / 10

/** Truncates to `length` letters, ending in "…" when it was longer. */
export const clip = (text: string, length: number): string => {
  const letters = [...text.toWellFormed()]
  return letters.length > length
    ? `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
    : letters.join('')
}

/** The most letters a label line can hold and stay readable. */
const lineLength = 16

/**
 * A name on one or two lines. A long combination shows its first words ("Amlodipine", "+
 * benazepril") or a count ("+ 2 more"). One long word breaks after a vowel. Other long names are
 * truncated.
 */
function linesOf(name: string, available: number): string[] {
  if (fit(name, available, 9) >= 6) return [name]
  const words = name.split(/[\s;,/]+/)
  if (words.length === 1) return syllables(clip(name, 24))
  const ingredients = name.split(/(?:(?<!\s)\s+)?[;,/]\s*(?:and\s+)?|(?<!\s)\s+and\s+/)
  if (name.length > 2 * lineLength && ingredients.length > 1) {
    const [first = '', second = ''] = ingredients.map((ingredient) => ingredient.split(' ')[0])
    return [
      clip(first, lineLength),
      ingredients.length === 2 ? clip(`+ ${second}`, lineLength) : `+ ${ingredients.length - 1} more`,
    ]
  }
  // For a name too long for two lines, fill the first. Otherwise break where the lines are most
  // even.
  const overfull = name.length > 2 * lineLength
  const first = (cut: number) => words.slice(0, cut).join(' ').length
  const longest = (cut: number) => Math.max(first(cut), name.length - first(cut))
  let best = 1
  for (let cut = 2; cut < words.length; cut++) {
    if (overfull ? first(cut) <= lineLength : longest(cut) < longest(best)) best = cut
  }
  return [clip(words.slice(0, best).join(' '), lineLength), clip(words.slice(best).join(' '), lineLength)]
}

/** Splits a long word after the vowel nearest to its middle. */
function syllables(word: string): string[] {
  const letters = [...word]
  const middle = letters.length / 2
  let best = 0
  for (let cut = 4; cut < letters.length - 3; cut++) {
    const isBreak = /[aeiouy][^aeiouy]/i.test(letters.slice(cut - 1, cut + 1).join(''))
    if (isBreak && Math.abs(cut - middle) < Math.abs(best - middle)) best = cut
  }
  if (best === 0) return [clip(word, lineLength)]
  return [`${letters.slice(0, best).join('')}-`, letters.slice(best).join('')]
}

/** Escapes text for an SVG. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // Control characters are not allowed in XML 1.0, escaped or not.
    .replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, ' ')
    .replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * Words of a form that state how it releases its medicine, wherever they are. In "delayed release",
 * "CAPSULE, DELAYED REL PELLETS" and "SUSTAINED-RELEASE" the word before it does.
 */
const releaseWords = [
  'extended',
  'sustained',
  'controlled',
  'slow',
  'delayed',
  'enteric',
  'liposomal',
  'disintegrating',
  'chewable',
  'effervescent',
  'for suspension',
]

const wordBeforeRelease = /\b([a-z]+)[- ]rel(?:ease)?\b/g

/**
 * How a form releases, by its text in a directory: "TABLET, FILM COATED, EXTENDED RELEASE" is
 * ["extended"]. Sorted, so equal releases have equal lists. Empty for a plain form and for
 * "IMMEDIATE RELEASE". Different words are different releases, also where they may mean the same.
 */
export function releasesOf(form: string): string[] {
  const text = form.toLowerCase()
  const words = new Set(releaseWords.filter((word) => text.includes(word)))
  for (const [, word = ''] of text.matchAll(wordBeforeRelease)) if (word !== 'immediate') words.add(word)
  return [...words].toSorted((a, b) => (a < b ? -1 : 1))
}

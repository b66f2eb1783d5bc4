import { plainWords } from '../plain-words.ts'
import { findForm } from '../search/search-words.ts'
import { keyOfWords, type MedicineName } from './medicine-names.ts'
import type { TextKind, TextPart, TextWord } from './split-text.ts'

/** A medicine or an allergy that a text names. */
export type Recognized = MedicineName & {
  /** The words of the text, as typed but folded: "coumadin". */
  typed: string
  /** Whether the spelling was corrected. */
  isRepaired: boolean
}

export type Recognition = {
  found: Recognized[]
  /** What no list knows, as it was typed. Denied names too: people read those. */
  notChecked: string[]
  /** Whether the text says that there are none: "No known allergies". */
  saysNone: boolean
}

/** Names by their keys (`medicineNameKey`). */
export type KnownNames = ReadonlyMap<string, readonly MedicineName[]>
/** The likely spellings of a word that no name has. */
export type Spellings = ReadonlyMap<string, readonly string[]>

/** No name that people type has more words. */
const maxNameWords = 6
/** Misspelled words that are looked up for one text. */
const maxRepairedWords = 40
const maxSpellings = 4

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** Words around a name that name nothing themselves. Beside those of directions. */
const contextWords = words(`
  i i’m im am is are was were have has had my me she he her his they their it its as also some any all this that these
  medication medications medicine medicines med meds drug drugs pill pills supplement supplements vitamin vitamins
  current currently taking takes took use uses using used prescription rx otc counter generic brand name strength
  allergic allergies allergy reaction reactions reacts react intolerance intolerant sensitive sensitivity cause causes caused
  causing gives gave gets get hives rash rashes itching itchy swelling anaphylaxis anaphylactic throat tongue lips trouble
  vomiting upset stomach diarrhea mild moderate severe bad serious child childhood kid year years ago since about like
  known none no not never denies nkda nka nil nothing na n a t m s d re ve don doesn isn
  mg mcg g ml iu unit units qd bid tid qid qhs prn po hs ac pc q x am pm er xr sr xl la dr ec
  tab tabs cap caps pack kit long term acting extended release delayed high low regular extra strong old new
  heart thyroid cold flu acid water juice alcohol oil sugar salt`)
const isContext = (word: string): boolean =>
  contextWords.has(word) || plainWords.has(word) || findForm(word) !== undefined

const isContent = ({ text, kind }: TextWord): boolean =>
  kind === 'word' && text.length > 1 && !isContext(text)

/** "No known allergies", "NKDA", "None": what a part consists of that says there are none. */
const noneWords = words('no none nkda nka nil nothing not n')
const besideNone = words(
  `known any drug drugs food allergy allergies allergic to medication medications medicine medicines i have am taking take of
  aware a current currently reactions and or me my`,
)
const saysNone = ({ words: own }: TextPart): boolean =>
  own.some(({ text }) => noneWords.has(text)) &&
  own.every(({ text }) => noneWords.has(text) || besideNone.has(text))

type Window = { start: number; end: number; key: string }

/** The runs of words that could be a name, the longest first at each place. */
const windowsAt = (part: TextPart, start: number): Window[] =>
  Array.from({ length: Math.min(maxNameWords, part.words.length - start) }, (_, i) => {
    const end = Math.min(start + maxNameWords, part.words.length) - i
    return { start, end, key: keyOfWords(part.words.slice(start, end)) }
  })

/** All keys to look up for a text. */
export const listNameKeys = (parts: readonly TextPart[]): string[] => [
  ...new Set(
    parts.flatMap((part) => part.words.flatMap((_, start) => windowsAt(part, start).map(({ key }) => key))),
  ),
]

type Match = Window & { names: MedicineName[]; isRepaired: boolean }

/** The names that count for this kind of text. A group of medicines is no medicine. */
const namesFor = (kind: TextKind, known: KnownNames, key: string): MedicineName[] =>
  (known.get(key) ?? []).filter((name) => kind === 'allergies' || name.kind !== 'group')

/** Whether an everyday word alone is meant as a name: "take with water" does not list water. */
const isMeant = (kind: TextKind, part: TextPart, { start, end }: Window): boolean => {
  const [word, other] = part.words.slice(start, end)
  if (!word || other) return true
  if (word.text.length < 3) return false
  return kind === 'allergies' || !isContext(word.text) || isAlone(part, word)
}
const isAlone = (part: TextPart, word: TextWord): boolean =>
  part.words.every((other) => other === word || other.piece !== word.piece || other.kind !== 'word')

function findExact(kind: TextKind, part: TextPart, known: KnownNames): Match[] {
  const matches: Match[] = []
  for (let start = 0; start < part.words.length;) {
    const match = windowsAt(part, start)
      .filter((window) => isMeant(kind, part, window))
      .map((window) => ({ ...window, names: namesFor(kind, known, window.key), isRepaired: false }))
      .find(({ names }) => names.length > 0)
    if (match) matches.push(match)
    start = match?.end ?? start + 1
  }
  return matches
}

const covers = (matches: readonly Match[], at: number): boolean =>
  matches.some(({ start, end }) => start <= at && at < end)

const canBeMisspelled = ({ text }: TextWord): boolean => /^\p{L}{5,}$/u.test(text) && !isContext(text)

/** The words to find spellings for: those that no name covers. */
export const listUnknownWords = (kind: TextKind, parts: readonly TextPart[], known: KnownNames): string[] => {
  const unknown = new Set<string>()
  for (const part of parts) {
    const matches = findExact(kind, part, known)
    part.words.forEach((word, at) => {
      if (canBeMisspelled(word) && !covers(matches, at)) unknown.add(word.text)
    })
  }
  return [...unknown].slice(0, maxRepairedWords)
}

/** The runs of words around a word, with that word spelled otherwise; the longest first. */
const repairedWindows = (part: TextPart, at: number, spelling: string): Window[] =>
  Array.from({ length: Math.min(maxNameWords, at + 1) }, (_, before) => before)
    .flatMap((before) =>
      Array.from({ length: maxNameWords - before }, (_, after) => ({
        start: at - before,
        end: at + after + 1,
      })),
    )
    .filter(({ end }) => end <= part.words.length)
    .toSorted((a, b) => b.end - b.start - (a.end - a.start))
    .map(({ start, end }) => ({
      start,
      end,
      key: keyOfWords(
        part.words
          .slice(start, end)
          .map((word, i) => (start + i === at ? { parts: spelling.split(' ') } : word)),
      ),
    }))

/** The keys to look up for other spellings. */
export const listRepairedKeys = (parts: readonly TextPart[], spellings: Spellings): string[] => [
  ...new Set(
    parts.flatMap((part) =>
      part.words.flatMap((word, at) =>
        (spellings.get(word.text) ?? [])
          .slice(0, maxSpellings)
          .flatMap((spelling) => repairedWindows(part, at, spelling).map(({ key }) => key)),
      ),
    ),
  ),
]

function findRepaired(
  kind: TextKind,
  part: TextPart,
  { known, spellings, matches }: { known: KnownNames; spellings: Spellings; matches: readonly Match[] },
): Match[] {
  const repaired: Match[] = []
  part.words.forEach((word, at) => {
    const isFree = (window: Window): boolean =>
      [...matches, ...repaired].every(({ start, end }) => window.end <= start || end <= window.start)
    if (!canBeMisspelled(word) || covers([...matches, ...repaired], at)) return
    const match = (spellings.get(word.text) ?? [])
      .slice(0, maxSpellings)
      .flatMap((spelling) => repairedWindows(part, at, spelling))
      .filter(isFree)
      .map((window) => ({ ...window, names: namesFor(kind, known, window.key), isRepaired: true }))
      .find(({ names }) => names.length > 0)
    if (match) repaired.push(match)
  })
  return repaired
}

/**
 * The one name that a key means. A medicine's own ingredients win over a brand that is spelled like
 * one. In an allergy, a group wins. The screening also checks the ingredients that share its name.
 */
export function chooseName(names: readonly MedicineName[]): MedicineName | null {
  const [name] = names.toSorted((a, b) => order[a.kind] - order[b.kind])
  if (!name) return null
  const meanings = name.kind === 'group' ? names.filter(({ kind }) => kind === 'group') : [name]
  return { ...name, meanings: [...new Set(meanings.flatMap((one) => one.meanings))].toSorted() }
}
const order = { group: 0, ingredient: 1, brand: 2 } as const

/**
 * What a text names, by names and spellings that were looked up before. Pure and linear in the
 * text. The same thing named twice counts once.
 */
export function recognizeText(
  kind: TextKind,
  { parts, unread }: { parts: readonly TextPart[]; unread: string },
  known: KnownNames,
  spellings: Spellings,
): Recognition {
  const found = new Map<string, Recognized>()
  const notChecked: string[] = []
  let none = false
  for (const part of parts) {
    if (saysNone(part)) {
      none = true
      continue
    }
    const exact = findExact(kind, part, known)
    const matches = [...exact, ...findRepaired(kind, part, { known, spellings, matches: exact })]
    const named = new Set<number>()
    for (const match of matches.toSorted((a, b) => a.start - b.start)) {
      const own = part.words.slice(match.start, match.end)
      const name = chooseName(match.names)
      if (!name || own.some(({ isDenied }) => isDenied)) continue
      for (const { piece } of own) if (piece !== null) named.add(piece)
      const id = `${name.kind === 'group' ? 'group' : ''}|${name.meanings.join('+')}`
      if (found.has(id)) continue
      const typed = own.map(({ text }) => text).join(' ')
      found.set(id, { ...name, typed, isRepaired: match.isRepaired })
    }
    part.pieces.forEach((piece, at) => {
      const isNamed = named.has(at)
      if (!isNamed && part.words.some((word) => word.piece === at && isContent(word)))
        notChecked.push(piece.text)
    })
  }
  if (unread !== '') notChecked.push(unread)
  return { found: [...found.values()], notChecked, saysNone: none && found.size === 0 }
}

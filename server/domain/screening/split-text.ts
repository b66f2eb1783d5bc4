import { splitWords, type Word } from '../search/search-words.ts'

/** What a free text is about. */
export type TextKind = 'medications' | 'allergies'

/** One thing that the text lists: "Coumadin 5mg", "fish oil". */
export type TextPiece = { text: string }

export type TextWord = Word & {
  /** The piece it belongs to; null for the "and" between two. */
  piece: number | null
  /** Whether "no", "never" or "stopped" denies it. */
  isDenied: boolean
}

/** A part of a text between commas and the like. "And" splits it into pieces. */
export type TextPart = {
  pieces: TextPiece[]
  words: TextWord[]
  /** Whether it is about the part before it: "(stopped in 2020)", "- no". */
  isAside: boolean
}

/** What is read of a text. The rest counts as not checked. */
export const textBounds = { characters: 5000, words: 600 } as const

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const ended = 'stopped discontinued quit former formerly'
/** A stopped medicine no longer counts. An allergy is often why it was stopped. */
const denying: Readonly<Record<TextKind, ReadonlySet<string>>> = {
  medications: wordSet(`no not never denies deny without none ${ended}`),
  allergies: wordSet('no not never denies deny without none'),
}
/** The same before "t", as in "doesn't". "Can't have penicillin" warns. */
const contracted: Readonly<Record<TextKind, ReadonlySet<string>>> = {
  medications: wordSet('don doesn'),
  allergies: wordSet('don doesn haven hasn isn'),
}
const endsDenial = wordSet('but except only however besides allergic')
/** "Warfarin (stopped in 2020)": these deny what stands before them, too. */
const denyingAfter: Readonly<Record<TextKind, ReadonlySet<string>>> = {
  medications: wordSet('stopped discontinued quit'),
  allergies: new Set(),
}
const fillerWords = 'i m am do don doesn t he she they it this is was were has have been'
/**
 * "Penicillin - no" and "warfarin (not taking it anymore)": an aside of these words only denies
 * what is before it. "Warfarin (not on Sundays)" is about how it is taken, and "codeine (not taking
 * anymore)" may be about an allergy.
 */
const denyingAside: Readonly<Record<TextKind, ReadonlySet<string>>> = {
  medications: wordSet(
    `${fillerWords} no not never denies deny none longer anymore any more now currently take takes taking taken use uses using used`,
  ),
  allergies: wordSet(`${fillerWords} no not never denies deny none now currently allergic allergy`),
}
/** "Warfarin (I stopped it in 2020)". In "started after I stopped atenolol", another one ended. */
const beforeEnd = wordSet(`${fillerWords} since recently now`)
const abbreviations = new Set(['st', 'dr', 'no', 'vit'])

type Raw = { text: string; endsSentence: boolean; isAside: boolean }

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9'
const isSpace = (char: string | undefined): boolean => char === undefined || char.trim() === ''

/** The letters just before a position: "st" in "St. John". */
function wordBefore(text: string, end: number): string {
  let start = end
  while (start > 0 && end - start < 5 && !isSpace(text[start - 1])) start -= 1
  return text.slice(start, end).toLowerCase()
}

const sentenceEnds = new Set('\n\r;!?')
const partEnds = new Set('()[]•·*|&+:=–—')

/** Whether a character ends a part, and whether it ends the sentence. */
function findBreak(text: string, at: number): 'part' | 'sentence' | null {
  const char = text[at]
  const between = isDigit(text[at - 1]) && isDigit(text[at + 1])
  if (char === undefined) return null
  if (sentenceEnds.has(char)) return 'sentence'
  if (partEnds.has(char)) return 'part'
  if (char === '.')
    return !isSpace(text[at + 1]) || abbreviations.has(wordBefore(text, at)) ? null : 'sentence'
  if (char === ',') return between ? null : 'part'
  // "5/325", "w/", "n/a" are one thing; "amlodipine/benazepril" are two.
  if (char === '/') return between || isSpace(text[at - 2]) ? null : 'part'
  if (char === '-') return isSpace(text[at - 1]) && isSpace(text[at + 1]) ? 'part' : null
  return null
}

function splitParts(text: string): Raw[] {
  const parts: Raw[] = []
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const found = at === text.length ? 'sentence' : findBreak(text, at)
    if (found === null) continue
    const isAside = start > 0 && '(:-–—='.includes(text[start - 1] ?? ' ')
    parts.push({ text: text.slice(start, at), endsSentence: found === 'sentence', isAside })
    start = at + 1
  }
  return parts
}

const collapse = (text: string): string => text.split(/\s/).filter(Boolean).join(' ')

function readPart({ text, isAside }: Raw): TextPart {
  const pieces: TextPiece[] = []
  const words: TextWord[] = []
  for (const piece of collapse(text).split(/ (?:and|plus|also) /i)) {
    const own = splitWords(piece)
    if (own.length === 0) continue
    if (pieces.length > 0)
      words.push({ text: 'and', kind: 'word', parts: ['and'], piece: null, isDenied: false })
    words.push(...own.map((word) => ({ ...word, piece: pieces.length, isDenied: false })))
    pieces.push({ text: piece.trim() })
  }
  return { pieces, words, isAside }
}

/** Whether the list goes on to an "or": "no penicillin, sulfa or latex allergy". */
const leadsToOr = (later: readonly TextPart[]): boolean =>
  later.some(({ words }) => words.some(({ text }) => text === 'or' || text === 'nor'))

const denyAll = (part: TextPart): void => {
  for (const word of part.words) word.isDenied = true
}

/** "Do not give penicillin", in a text about allergies, warns about it. */
const warningVerbs = wordSet(
  'give given take taken use used prescribe prescribed administer administered tolerate tolerated receive received eat drink have',
)
/** Words between "not" and its verb: "should not ever be given". */
const beforeVerb = wordSet('t to be been ever again able')
/** "I do not have a penicillin allergy" denies it; "do not have penicillin" warns. */
const allergyWords = wordSet(
  'allergy allergies allergic reaction reactions intolerance sensitivity sensitivities problem problems trouble issue issues',
)
/** "Must not have penicillin" warns, whatever follows. */
const warningModals = wordSet('should must can may could')
/** "Do not have penicillin due to an allergy": what follows is why, and denies nothing. */
const reasonWords = wordSet('because due since after as')
/** "Never taken penicillin" and "I have not used sulfa" say that there was no reaction to it. */
const pastVerbs = wordSet('taken used received')
const beforePast = wordSet('have has had haven hasn')
const maxBeforeVerb = 5

/** Whether the word at this position denies what follows. "No. 3" is a number. */
function startsDenial(kind: TextKind, words: readonly TextWord[], at: number): boolean {
  const [word, next] = words.slice(at, at + 2)
  if (!word || next?.kind === 'number') return false
  if (!denying[kind].has(word.text) && !(contracted[kind].has(word.text) && next?.text === 't')) return false
  return kind === 'medications' || !isWarning(words, at)
}

/** Whether the denying word at this position warns of what follows, in a text about allergies. */
function isWarning(words: readonly TextWord[], at: number): boolean {
  const [word = '', ...after] = words.slice(at).map(({ text }) => text)
  const verbAt = after.slice(0, 1 + maxBeforeVerb).findIndex((text) => !beforeVerb.has(text))
  const verb = after[verbAt] ?? ''
  if (!warningVerbs.has(verb)) return false
  const object = after.slice(verbAt + 1)
  const reasonAt = object.findIndex((text) => reasonWords.has(text))
  const before = words[at - 1]?.text ?? ''
  if (verb === 'have') {
    const had = reasonAt < 0 ? object : object.slice(0, reasonAt)
    return warningModals.has(before) || !had.some((text) => allergyWords.has(text))
  }
  const isPast = word === 'never' || beforePast.has(word) || beforePast.has(before)
  const isOrder = after.slice(0, verbAt).some((text) => text === 'be' || text === 'to')
  return !pastVerbs.has(verb) || !isPast || isOrder || reasonAt >= 0
}

/**
 * Marks what a sentence denies. A denial reaches to the end of its part; a comma carries it on only
 * in a list with "or".
 */
function markDenied(sentence: readonly TextPart[], kind: TextKind): void {
  let denies = false
  sentence.forEach((part, at) => {
    const [first] = part.words
    part.words.forEach((word, i) => {
      const before = part.words[i - 1]?.text ?? ''
      if (startsDenial(kind, part.words, i)) denies = true
      // "Is not allergic to penicillin, isn't allergic to sulfa" goes on.
      else if (endsDenial.has(word.text) && word !== first && before !== 'not' && before !== 't')
        denies = false
      word.isDenied = denies
    })
    const end = part.words.findIndex(({ text }) => denyingAfter[kind].has(text))
    if (end >= 0) denyAll(part)
    const before = sentence[at - 1]
    const isDenial =
      end >= 0
        ? part.words.slice(0, end).every(({ text }) => beforeEnd.has(text))
        : part.words.some(({ isDenied }) => isDenied) &&
          part.words.every(({ text }) => denyingAside[kind].has(text))
    if (before && part.isAside && isDenial) denyAll(before)
    denies = denies && leadsToOr(sentence.slice(at + 1))
  })
}

/**
 * Splits what a person typed about their medicines or allergies. Takes linear time and at most the
 * bounds; `unread` is what is beyond them.
 */
export function splitText(kind: TextKind, text: string): { parts: TextPart[]; unread: string } {
  const parts: TextPart[] = []
  let sentence: TextPart[] = []
  let words = 0
  let read = 0
  for (const raw of splitParts(text.slice(0, textBounds.characters))) {
    const part = readPart(raw)
    words += part.words.length
    if (words > textBounds.words) break
    read += raw.text.length + 1
    if (part.words.length > 0) {
      sentence.push(part)
      parts.push(part)
    }
    if (raw.endsSentence) {
      markDenied(sentence, kind)
      sentence = []
    }
  }
  markDenied(sentence, kind)
  return { parts, unread: text.slice(read).trim() }
}

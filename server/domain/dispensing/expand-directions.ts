import type { DosageForm } from '../catalog/catalog.ts'
import { plainWords } from '../plain-words.ts'
import { formatDose } from './dose.ts'
import { parseDirections, type DirectionPart } from './parse-directions.ts'
import { countedUnits, formVerbs, sigUnits, type ErrorProneCode } from './sig-codes.ts'

export type ExpandedDirections = {
  /** The directions in words. What was not expanded stays as it was typed. */
  text: string
  /** Words that are neither codes nor everyday words: a pharmacist checks each. */
  unknown: string[]
  /** Codes that are never expanded. Directions with one are not printed. */
  errorProne: ErrorProneCode[]
}

/**
 * Expands sig codes: `1 tab po bid` becomes "Take 1 tablet by mouth twice a day". The words keep
 * the prescriber's order. Codes on ISMP's list and unknown words are never replaced.
 *
 * @param form decides how directions begin when neither unit nor route does
 */
export function expandDirections(typed: string, form: DosageForm | null = null): ExpandedDirections {
  const parts = parseDirections(typed)
  const unknown = new Set<string>()
  const text = splitSentences(parts)
    .map((sentence) => writeSentence(sentence, form, unknown))
    .join(' ')
    .replace(/ ([,;])/g, '$1')
  return {
    text,
    unknown: [...unknown],
    errorProne: parts.flatMap((part) =>
      part.kind === 'errorProne' ? [{ code: part.typed, writeInstead: part.writeInstead }] : [],
    ),
  }
}

function splitSentences(parts: readonly DirectionPart[]): DirectionPart[][] {
  const sentences: DirectionPart[][] = [[]]
  for (const part of parts) {
    sentences.at(-1)?.push(part)
    if (part.kind === 'plain' && part.endsSentence) sentences.push([])
  }
  return sentences.filter(({ length }) => length > 0)
}

function writeSentence(
  parts: readonly DirectionPart[],
  form: DosageForm | null,
  unknown: Set<string>,
): string {
  const [first] = parts
  const verb = first?.kind === 'dose' || first?.kind === 'code' ? chooseVerb(parts, form) : null
  const written: string[] = verb ? [verb] : []
  let isReason = false
  parts.forEach((part, at) => {
    written.push(...writePart(part, parts[at - 1], verb))
    if (part.kind === 'plain' && !isKnown(part.typed, isReason)) unknown.add(part.typed)
    if (part.kind === 'mark') isReason = false
    if (beginsReason(part)) {
      isReason = true
      if (part.kind !== 'plain' && isBareReason(parts[at + 1])) written.push('for')
    }
  })
  const text = written.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function writePart(part: DirectionPart, before: DirectionPart | undefined, verb: string | null): string[] {
  switch (part.kind) {
    case 'dose': {
      const { from, to } = part
      return [to === null ? formatDose(from) : `${formatDose(from)} to ${formatDose(to)}`]
    }
    case 'unit':
      return [writeUnit(part.unit, before?.kind === 'dose' ? (before.to ?? before.from) : null)]
    case 'code':
      // "Inhale 2 puffs by inhalation" would say it twice.
      return part.name === 'inh' && verb === 'Inhale' ? [] : [part.code.words]
    case 'words':
    case 'mark':
      return [part.text]
    case 'errorProne':
      return [part.typed]
    case 'plain':
      return [isAllCaps(part.typed) ? part.typed.toLowerCase() : part.typed]
  }
}

/** "tablet", "tablets", or "tablet (half a tablet)" after 0.5. */
function writeUnit(unit: keyof typeof sigUnits, count: number | null): string {
  const { one, many } = sigUnits[unit]
  if (count === 0.5 && countedUnits.has(unit)) return `${one} (half a ${one})`
  return count !== null && count > 1 ? many : one
}

/** "Place" for drops, "Take" for tablets by mouth; null when nothing says it. */
function chooseVerb(parts: readonly DirectionPart[], form: DosageForm | null): string | null {
  for (const part of parts) {
    if (part.kind === 'unit' && sigUnits[part.unit].verb) return sigUnits[part.unit].verb
  }
  for (const part of parts) {
    if (part.kind === 'code' && part.code.verb) return part.code.verb
  }
  return form && formVerbs[form]
}

/** A typed word without its punctuation. A loop: an expression would take quadratic time. */
function toName(typed: string): string {
  let end = typed.length
  while ('.:()'.includes(typed[end - 1] ?? ' ')) end--
  return typed.slice(typed.startsWith('(') ? 1 : 0, end).toLowerCase()
}

const isAllCaps = (typed: string): boolean =>
  typed === typed.toUpperCase() && plainWords.has(toName(typed)) && typed.length > 1

/** The reason for a medicine can be any word; a code is rarely longer than three letters. */
const isKnown = (typed: string, isReason: boolean): boolean => {
  const name = toName(typed)
  return name === '' || plainWords.has(name) || (isReason && /^[\p{L}’'-]{4,}$/u.test(name))
}

const beginsReason = (part: DirectionPart): boolean =>
  (part.kind === 'code' && part.name === 'prn') ||
  (part.kind === 'words' && part.beginsReason) ||
  (part.kind === 'plain' && toName(part.typed) === 'for')

/** The reason of "prn pain", which lacks its "for". */
const isBareReason = (part: DirectionPart | undefined): boolean =>
  part?.kind === 'plain' &&
  /^\p{L}{4,}/u.test(part.typed) &&
  !/^(when|after|before|with|until)\b/i.test(part.typed)

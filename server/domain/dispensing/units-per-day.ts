import { expandDirections } from './expand-directions.ts'
import { pluralUnit } from './quantity.ts'

/**
 * All phrases that directions may have for `unitsPerDay`. Any other word could change the dose ("as
 * needed", "then", "or"), or when it is taken ("every other day", "on Monday").
 */
const phrases = [
  // "twice a day", "3 times daily", "every day".
  String.raw`(?<count>(?:(?:once|twice|[1-9]\d? times?) )?(?:daily|(?:a|per|each|every) day))`,
  String.raw`every (?<hours>(?:[1-9]\d? )?hours?)`,
  // "1.5 tablets", "0.5 tablet (half a tablet)", "2 tablets (1,000 mg)".
  String.raw`(?<dose>half a|(?:[1-9]\d{0,2}(?:,\d{3})+|\d{1,3})(?:\.\d+)?) (?<unit>[a-z]+)(?: \(half a [a-z]+\))?(?: \([\d.,]+ (?:mg|mcg|g|units)(?: total)?\))?`,
  // "every morning", "and at 8 in the evening", ", with dinner".
  String.raw`(?<joined>,? ?and |, )?(?<clock>at \d{1,2}(?::\d\d)? )?(?:(?:every|each|in the|at|before|after|with) )?(?<time>morning|breakfast|noon|afternoon|lunch|evening|dinner|supper|nightly|night|bedtime)`,
  // What follows says nothing about how much a day.
  'take|give|place|apply|use|insert|inhale|drink|chew|dissolve|swallow|whole',
  'by mouth|orally|under the tongue|inside the cheek|to the skin|into the (?:rectum|vagina)',
  'with or without food|with (?:food|milk|(?:a (?:full )?glass of )?water)',
  // "Before meals, nightly" is once a day, or four times.
  '(?<meals>(?:with|before|after) meals)',
  'on an empty stomach',
  String.raw`(?<course>for [1-9]\d? (?:days?|weeks?))`,
  // Conditions, not symptoms: "for pain" can mean "as needed".
  'for (?:(?:your|the|high) )*(?:blood pressure|cholesterol|diabetes|infection)',
]
const phrase = new RegExp(String.raw`\s*(?:(?:${phrases.join('|')})(?![\w’'-])|[.,;])`, 'giy')

/** Which time of day a word means: "every morning with breakfast" is one, not two. */
const timesOfDay: Readonly<Record<string, string>> = {
  breakfast: 'morning',
  afternoon: 'noon',
  lunch: 'noon',
  dinner: 'evening',
  supper: 'evening',
  nightly: 'night',
  bedtime: 'night',
}

type Phrase = Readonly<Record<string, string | undefined>>

/**
 * How many units a day directions say, when they say exactly that: one dose in this unit, a fixed
 * number of times a day. Null for all others: as needed, a range, a taper, days without a dose, a
 * dose without a unit or in another one, and any word that is not in the list above.
 * @param unit what the quantity counts: "tablet", "mL". No dose is in packs.
 */
export function unitsPerDay(directions: string, unit: string): number | null {
  const { text } = expandDirections(directions)
  const found = [...text.matchAll(phrase)]
  if (found.map(([typed]) => typed).join('') !== text) return null
  const parts = found.map(({ groups = {} }): Phrase => groups)
  const [dose, ...otherDoses] = parts.filter((part) => part['dose'])
  if (!dose || otherDoses.length > 0 || unit === 'pack') return null
  if (dose['unit'] !== unit && dose['unit'] !== pluralUnit(unit)) return null
  const times = timesADay(parts)
  return times === null ? null : times * readDose(dose['dose'] ?? '') || null
}

const readDose = (text: string): number => (/^half/i.test(text) ? 0.5 : Number(text.replaceAll(',', '')))

/** How often a day; null when the directions do not say it, or say two things. */
function timesADay(parts: readonly Phrase[]): number | null {
  const counts = parts.flatMap(({ count, hours }) =>
    count ? [readCount(count)] : hours ? [24 / readCount(hours)] : [],
  )
  const listed = countTimesOfDay(parts)
  if (listed === null || counts.length > 1) return null
  const [count = listed] = counts
  // Once a day, or with each meal? Of two courses, one could be a pause.
  if (parts.some(({ meals }) => meals) && (counts.length === 0 || count === 1)) return null
  if (parts.filter(({ course }) => course).length > 1) return null
  return count > 0 && (listed === 0 || listed === count) ? count : null
}

const readCount = (text: string): number => (/^twice/i.test(text) ? 2 : Number(/^\d+/.exec(text)?.[0] ?? '1'))

/** How many times of day are listed. Null when one is added to something else, or is in doubt. */
function countTimesOfDay(parts: readonly Phrase[]): number | null {
  const listed: { timeOfDay: string; phrases: Phrase[] }[] = []
  for (const part of parts) {
    const { time, joined = '' } = part
    if (!time) continue
    const name = time.toLowerCase()
    const timeOfDay = timesOfDay[name] ?? name
    // "Twice a day and at bedtime" is three times, or two.
    if (listed.length === 0 && /and/i.test(joined)) return null
    const last = listed.at(-1)
    if (last && joined === '') {
      if (last.timeOfDay !== timeOfDay || !last.phrases.every((each) => isSameTime(each, part))) return null
      last.phrases.push(part)
    } else {
      if (listed.some((each) => each.timeOfDay === timeOfDay)) return null
      listed.push({ timeOfDay, phrases: [part] })
    }
  }
  return listed.length
}

/**
 * Whether two phrases of one time of day say the same time: "every morning with breakfast". Two
 * meals ("before breakfast after breakfast") or two hours can be once a day, or twice.
 */
const isSameTime = (first: Phrase, second: Phrase): boolean =>
  isMealOrBedtime(first) !== isMealOrBedtime(second) && !(first['clock'] && second['clock'])

const isMealOrBedtime = ({ time = '' }: Phrase): boolean =>
  /^(?:breakfast|lunch|dinner|supper|bedtime)$/i.test(time)

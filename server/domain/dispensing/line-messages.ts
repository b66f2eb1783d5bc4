import type { FillProblem } from './fill-rules.ts'
import type { Difference, Medicine } from './medicine.ts'
import { formText } from './medicine-text.ts'
import { formatUnits, pluralUnit } from './quantity.ts'
import type { LineResolution } from './resolve-line.ts'

/**
 * What customers and pharmacists read about a prescription line (docs/dispensing.md, "The path of
 * an order").
 */

const monthDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })

const refillCount = (left: number): string => `${left} ${left === 1 ? 'refill' : 'refills'} left`

const differenceMessages: Record<Difference, (prescribed: PrescribedText, offeredForm: string) => string> = {
  ingredient: () => 'this prescription is for another medicine',
  strength: ({ strength }) => `this prescription is for ${strength}`,
  salt: ({ substances }) => `this prescription is for ${substances}`,
  form: (prescribed, offeredForm) =>
    `this prescription is for ${quoted(formText(prescribed)) || 'another form'}${offeredForm && `, not ${quoted(offeredForm)}`}`,
  route: ({ route }) => `this prescription is for ${route ?? 'another'} use`,
  pack: ({ pack, unit }) =>
    `this prescription is for ${pack ? `packs of ${pack}` : `single ${pluralUnit(unit)}`}`,
  brand: ({ brand }) => `your prescriber requires ${brand ?? 'another brand'}`,
}

/** A form has commas of its own: “tablet, extended release”. */
const quoted = (text: string): string => text && `“${text}”`

type PrescribedText = Omit<Medicine, 'ingredientSet' | 'brandName'> & { brand: string | null }

/** Why an item does not allow a line, as the customer reads it. */
export function problemMessage(problem: FillProblem, prescribed: PrescribedText): string {
  switch (problem.kind) {
    case 'different':
      return `Not covered: ${differenceMessages[problem.difference](prescribed, problem.offeredForm)}.`
    case 'closed':
      return 'Not covered: this prescription is closed. Upload a new one.'
    case 'expired':
      return `Not covered: this prescription expired on ${monthDay(problem.on)}. Upload a new one.`
    case 'too many':
      return `Not covered: one fill is at most ${formatUnits(problem.allowed, prescribed.unit)}. Choose a smaller quantity.`
    case 'nothing left':
      return problem.left === 0
        ? 'No refills left. Ask your doctor for a new prescription.'
        : `Only ${formatUnits(problem.left, prescribed.unit)} left on this prescription. Choose a smaller quantity.`
    case 'too early':
      return `Available from ${monthDay(problem.on)}.`
    case 'in progress':
      return 'You already have an order for this medicine in progress.'
    case 'in cart':
      return 'Your cart has this medicine twice. Remove one of them.'
  }
}

/** The same as a pharmacist reads it: about the patient, without advice to the customer. */
export function problemForPharmacist(problem: FillProblem, prescribed: PrescribedText): string {
  switch (problem.kind) {
    case 'different':
      return problem.difference === 'brand'
        ? `Not covered: the prescriber requires ${prescribed.brand ?? 'another brand'}.`
        : problemMessage(problem, prescribed)
    case 'closed':
      return 'Not covered: this item is closed.'
    case 'expired':
      return `Not covered: this prescription expired on ${monthDay(problem.on)}.`
    case 'too many':
      return `Not covered: one fill is at most ${formatUnits(problem.allowed, prescribed.unit)}.`
    case 'nothing left':
      return problem.left === 0
        ? 'No refills left.'
        : `Only ${formatUnits(problem.left, prescribed.unit)} left on this prescription.`
    case 'too early':
      return `Refill too soon: the next fill opens on ${monthDay(problem.on)}.`
    case 'in progress':
    case 'in cart':
      return 'Another fill of this medicine is in progress.'
  }
}

/** The state of a line in the cart and at checkout. */
export function resolutionMessage(resolution: LineResolution): string {
  switch (resolution.kind) {
    case 'covered':
      return `Covered by ${resolution.item.prescriberName}’s prescription, ${refillCount(resolution.refillsLeft)}`
    case 'to review':
      return 'A pharmacist will check this against the prescription you choose'
    case 'needs prescription':
      return 'Choose or upload a prescription for this medicine'
    case 'refused':
      return problemMessage(resolution.problem, {
        ...resolution.item.medicine,
        brand: resolution.item.dispenseAsWritten,
      })
  }
}

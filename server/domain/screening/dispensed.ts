import { addDays } from '../days.ts'
/** A fill that left the pharmacy or is about to, as passed to the screening. */
export type DispensedFill = {
  /** "Warfarin 5 mg, tablet". */
  name: string
  /** The prescription item that it was filled on. */
  itemId: string
  /** The catalog's names of the ingredients, joined by "; ", or the product's name, folded. */
  ingredients: string
  /** What the medicine is called: "warfarin sodium". */
  substances: string
  route: string | null
  /** "5 mg". */
  strength: string
  /** `YYYY-MM-DD`. */
  dispensedOn: string
  /** Whether it is in an order that has not shipped. It then counts from today. */
  isOrdered?: boolean
  /** How long this fill lasts. */
  daysSupply: number
  /** The first day of the next fill, `YYYY-MM-DD`; null when it is not known. */
  refillsFrom: string | null
}

/** Patients run out late: a supply counts for as many days longer. */
const graceDays = 30

/** The fills that the patient may still take. */
export const currentFills = (fills: readonly DispensedFill[], today: string): DispensedFill[] =>
  fills.filter((fill) => today <= addDays(lastDayOf(fill), graceDays))

/** The last day of a fill's supply. */
export const lastDayOf = ({
  dispensedOn,
  daysSupply,
}: Pick<DispensedFill, 'dispensedOn' | 'daysSupply'>): string => addDays(dispensedOn, Math.max(0, daysSupply))

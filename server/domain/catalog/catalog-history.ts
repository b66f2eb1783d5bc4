/** What a change of a product or a variant was: who, when, before, after. */

/** A value of a field as the borders write it: money as decimal text, a reference as its id. */
export type FieldValue = string | number | boolean | null
export type Fields = Readonly<Record<string, FieldValue>>

/** The fields that differ, as they were and as they are; null when none does. Pure. */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } | null {
  const names = Object.keys(after).filter((name) => before[name] !== after[name])
  if (names.length === 0) return null
  const of = (fields: Fields): Fields => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
  return { before: of(before), after: of(after) }
}

/** A change as the desk reads it: references by name. */
export type CatalogChange = {
  id: string
  /** ISO 8601. */
  at: string
  /** The admin's name or address; null when their account is gone or the shop itself did it. */
  by: string | null
  action: 'created' | 'updated' | 'deleted'
  /** Which variant it was; null when the product itself. */
  variant: string | null
  fields: { name: string; before: FieldValue; after: FieldValue }[]
}

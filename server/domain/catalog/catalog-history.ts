/** A change of a product or a variant: who, when, before, after. */

/** A field's value as APIs and forms write it: money as decimal text, a reference as its id. */
export type FieldValue = string | number | boolean | null
export type Fields = Readonly<Record<string, FieldValue>>

/** The fields that differ, before and after. Null when none differs. */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } | null {
  const names = Object.keys(after).filter((name) => before[name] !== after[name])
  if (names.length === 0) return null
  const pick = (fields: Fields): Fields =>
    Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}

/** A change as the back office shows it, with references by name. */
export type CatalogChange = {
  id: string
  /** ISO 8601. */
  at: string
  /**
   * The admin's name or email address. Null when the account was deleted or the system made the
   * change.
   */
  actor: string | null
  action: 'created' | 'updated' | 'deleted'
  /** The variant's label. Null when the product itself changed. */
  variant: string | null
  fields: { name: string; before: FieldValue; after: FieldValue }[]
}

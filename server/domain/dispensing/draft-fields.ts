type Fields = Readonly<Record<string, string>>

/** A case's draft has the fields of each prescription's form, under the prescription's id. */
const prefixOf = (prescriptionId: string): string => `${prescriptionId}.`

/** One prescription's part of a draft; empty without one. */
export function draftPart(fields: Fields, prescriptionId: string): Fields {
  const prefix = prefixOf(prescriptionId)
  const own = Object.entries(fields).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]))
}

export const hasFields = (fields: Fields): boolean => Object.keys(fields).length > 0

/** A draft with another part of one prescription. */
export function withDraftPart(fields: Fields, prescriptionId: string, part: Fields): Record<string, string> {
  const prefix = prefixOf(prescriptionId)
  const others = Object.entries(fields).filter(([name]) => !name.startsWith(prefix))
  const own = Object.entries(part).map(([name, value]) => [prefix + name, value])
  return Object.fromEntries([...others, ...own])
}

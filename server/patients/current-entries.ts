import { listKnownMeanings } from '#db/screening/medicine-names.ts'
import type { PatientList } from '#domain/patients/patient-labels.ts'
import { isUnchecked, meaningOf, type PatientEntry } from '#domain/patients/patient-record.ts'
import type { Context } from '../context.ts'
import { findExactName } from '../screening/medicine-names.ts'

/** An entry with what its name means today. */
export type CurrentEntry = PatientEntry & {
  /** Whether a part of it can no longer be checked. */
  isLost: boolean
}

/**
 * The entries of a patient's list by the current lists. A newer edition may have renamed an
 * ingredient or group since the patient chose it, or know a name that was unknown then: what the
 * name means today counts. Without a meaning, what the patient chose stays.
 */
export async function readCurrentEntries(
  ctx: Pick<Context, 'db'>,
  list: PatientList,
  entries: readonly PatientEntry[],
): Promise<CurrentEntry[]> {
  if (entries.length === 0) return []
  const known = await listKnownMeanings(ctx.db, {
    ingredients: entries.flatMap(({ ingredients }) => ingredients),
    groups: entries.flatMap(({ groups }) => groups),
  })
  return Promise.all(
    entries.map(async (entry) => {
      const isKnown =
        entry.ingredients.every((one) => known.ingredients.has(one)) &&
        entry.groups.every((one) => known.groups.has(one))
      if (isKnown && !isUnchecked(entry)) return { ...entry, isLost: false }
      const name = await findExactName(ctx, list, entry.name)
      return name ? { ...entry, ...meaningOf(name), isLost: false } : { ...entry, isLost: !isKnown }
    }),
  )
}

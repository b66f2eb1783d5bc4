import type { Db } from '#db/engine/client.ts'
import type { CaseAlert } from '#domain/alerts/case-alert.ts'
import { alertDecisionInputSchema, type AlertDecisionInput } from '#domain/alerts/alert-decision-schema.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { rebuildMedicineNames } from '#server/screening/medicine-names.ts'
import { refreshAllIngredients } from '#server/screening/refresh-product-ingredients.ts'

type ListName = 'ingredient-names' | 'interactions-ndfrt' | 'interactions-label'

/** A few rows of the lists: all three pairs of lisinopril, ibuprofen and warfarin. */
export async function addCareLists(db: Db, now: Date): Promise<void> {
  const lists: [ListName, string, string][] = [
    ['ingredient-names', 'Names of ingredients', '2026-04-01'],
    ['interactions-ndfrt', 'NDF-RT interactions', '2014-07-07'],
    ['interactions-label', 'Interactions in FDA labels', '2026-07-16'],
  ]
  await db
    .insertInto('careLists')
    .values(
      lists.map(([name, title, listDate]) => ({
        name,
        title,
        source: 'test',
        license: 'public domain',
        listDate,
        sha256: name,
        rowCount: 1,
        importedAt: now,
      })),
    )
    .execute()
  await db
    .insertInto('careIngredientNames')
    .values(
      ['LISINOPRIL', 'IBUPROFEN', 'WARFARIN'].map((name) => ({
        country: 'US' as const,
        name,
        ingredient: name,
        moiety: name.toLowerCase(),
        products: 1,
      })),
    )
    .execute()
  const pairs = [
    ['LISINOPRIL', 'WARFARIN'],
    ['IBUPROFEN', 'WARFARIN'],
    ['IBUPROFEN', 'LISINOPRIL'],
  ] as const
  await db
    .insertInto('careInteractions')
    .values(
      pairs.map(([subject, object]) => ({
        id: `ndfrt:${subject}|${object}`,
        list: 'ndfrt' as const,
        subject,
        object,
        objectKind: 'ingredient' as const,
        level: 'critical' as const,
        sentence: null,
        splSetId: null,
        effective: null,
      })),
    )
    .execute()
  await rebuildMedicineNames({ db })
  await refreshAllIngredients(db)
}

/** The first alert that a line's pharmacist must decide on. */
export function alertOf({ screening }: ReviewCase): CaseAlert {
  const alert = screening?.alerts.find(({ needsDecision }) => needsDecision)
  if (!alert) throw new Error('The case has no alert to decide on.')
  return alert
}

export const decisionInputOf = (
  { id: lineId, version }: CaseLine,
  { id: alertId }: CaseAlert,
  decision: Record<string, unknown> = { choice: 'told-patient', note: 'Stable INR' },
): AlertDecisionInput => alertDecisionInputSchema.parse({ lineId, version, alertId, ...decision })

import type { Db } from '#db/engine/client.ts'
import { testDay } from './catalog.ts'

/**
 * FDA's list of equivalents with these rows: application, form and route. All are rated AB at one
 * strength.
 */
export async function addEquivalents(
  db: Db,
  rows: readonly (readonly [application: string, formRoute: string])[],
  { ingredient = 'LITHIUM CARBONATE', strength = '300MG' } = {},
): Promise<void> {
  const list = { title: 'FDA', source: 'FDA', license: 'public domain', sha256: '', rowCount: rows.length }
  await db
    .insertInto('careLists')
    .values({ name: 'therapeutic-equivalence', listDate: '2026-07-16', importedAt: testDay, ...list })
    .execute()
  await db
    .insertInto('careEquivalents')
    .values(
      rows.map(([applicationNumber, formRoute], line) => ({
        line,
        applicationNumber,
        formRoute,
        strength,
        tradeName: ingredient,
        activeIngredient: ingredient,
        ingredients: ingredient,
        sponsor: 'Made up',
        marketingStatus: 'Prescription',
        teCode: 'AB',
        listIsComplete: true,
      })),
    )
    .execute()
}

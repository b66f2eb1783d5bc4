import { clearLine } from '#server/reviews/clear-line.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { clearInputOf, transcribe } from '#tests/support/pharmacist.ts'
import { itemOf, lineOf, openCase, prescriptionOf } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('the case says that the quantity lasts longer than the days’ supply, and the line can be cleared', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    const saved = async (item: Record<string, unknown>) => {
      const { version, items, ...prescription } = prescriptionOf(await getCase(pharmacist, order.id))
      const stored = items.map(({ id }) => ({ id, agreement: { with: 'Ada Quillfeather, MD' } }))
      const fields = { ...stored[0], ...item }
      return transcribe(pharmacist, { version, ...prescription }, [variantId], { items: [fields] })
    }
    const directions = '1 tab po bid'
    const mismatch = 'By the directions, 200 tablets last 100 days, not 30.'
    const wrong = await saved({ units: '200', daysSupply: '30', directions })
    expect(itemOf(wrong).supplyMismatch).toBe(mismatch)
    // The directions are stored as words.
    expect(itemOf(await getCase(pharmacist, order.id))).toMatchObject({
      directions: 'Take 1 tablet by mouth twice a day',
      supplyMismatch: mismatch,
    })
    const asNeeded = await saved({ units: '200', daysSupply: '30', directions: '1 tab po bid prn pain' })
    expect(itemOf(asNeeded).supplyMismatch).toBe(null)
    expect(itemOf(await saved({ units: '200', daysSupply: '100', directions })).supplyMismatch).toBe(null)
    const again = await saved({ units: '200', daysSupply: '30', directions })
    const cleared = await clearLine(pharmacist, clearInputOf(lineOf(again)))
    expect([lineOf(cleared).status, itemOf(cleared).supplyMismatch]).toEqual(['cleared', mismatch])
  })
})

import type { Db } from '#db/engine/client.ts'
import { updateManufacturer } from '#server/catalog/save-manufacturer.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'
import { genericRow, ndcFile, ndcRow } from './catalog-import-rows.ts'
import { runImport } from './catalog-import-support.ts'

const variantOf = (db: Db, catalogKey: string) =>
  db.selectFrom('productVariants').selectAll().where('catalogKey', '=', catalogKey).executeTakeFirstOrThrow()

eachEngine((_, openDb) => {
  test('a manufacturer that an admin renamed makes the rows with its new name', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow())])
    const { manufacturerId } = await variantOf(db, 'ndc:0049-4900-30')
    await updateManufacturer(asAdmin(db), { id: manufacturerId ?? '', name: 'Viatris' })
    await runImport(db, [ndcFile(ndcRow(), genericRow({ labeler: 'VIATRIS' }))])
    expect(await variantOf(db, 'ndc:68180-352-06')).toMatchObject({ manufacturerId })
  })
})

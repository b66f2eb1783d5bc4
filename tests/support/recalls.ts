import { adjustStock } from '#server/inventory/adjust-stock.ts'
import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { importCareUpload, storeCareUpload } from '#server/recalls/care-uploads.ts'
import { addVariant } from './catalog.ts'
import { testContext } from './context.ts'

async function* streamOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Uploads a file of recalls. Returns its id. */
export const uploadRecalls = (ctx: Context, bytes: Buffer): Promise<string> =>
  storeCareUpload(ctx, { fileName: 'recalls.json', body: streamOf(bytes) })

export const importRecalls = async (ctx: Context, bytes: Buffer) =>
  importCareUpload(ctx, await uploadRecalls(ctx, bytes))

/** Adds a variant with an NDC. Returns its id. */
export async function addPackage(db: Db, ndc: string, digits: string, stockQuantity = 0): Promise<string> {
  const id = await addVariant(db, { ndc, stockQuantity, inStock: stockQuantity > 0 })
  await db.insertInto('variantIdentifiers').values({ kind: 'ndc-11', value: digits, variantId: id }).execute()
  return id
}

/** Receives units, in a lot or in none. */
export const receive = (ctx: Context, variantId: string, lotNumber: string | null, quantityChange = 10) =>
  adjustStock(ctx, {
    variantId,
    quantityChange,
    transactionType: 'purchase',
    notes: null,
    lotNumber,
    expiryDate: lotNumber === null ? null : '2027-12-31',
  })

/** The emails about recalls that wait to be sent or were sent. */
export const recallMails = async (db: Db) =>
  (await listOutbox(testContext(db))).filter(({ subject }) => subject.startsWith('Recall'))

import type { Db } from '#db/engine/client.ts'
import { guessColumns, type ImportMapping } from '#domain/catalog/csv-imports.ts'
import { newVariantSchema } from '#domain/catalog/variant-fields.ts'
import { AppError } from '#domain/errors.ts'
import { createVariant } from '#server/catalog/create-variant.ts'
import { advanceImport } from '#server/catalog/csv/advance-import.ts'
import { listImportLines } from '#server/catalog/csv/get-import.ts'
import { applyImport, checkImport } from '#server/catalog/csv/start-import.ts'
import { storeCsv } from '#server/catalog/csv/store-csv.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct } from '#tests/support/catalog.ts'

/** The parts of a file as the bytes of a request. */
export async function* streamOf(...chunkParts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of chunkParts) yield typeof part === 'string' ? Buffer.from(part) : part
}

/** Uploads a file in these parts. Returns its id. */
export const uploadCsv = (db: Db, ...chunkParts: (string | Uint8Array)[]): Promise<string> =>
  storeCsv(asAdmin(db), { fileName: 'prices.csv', body: streamOf(...chunkParts) })

/** The message a rejected promise fails with. */
export async function errorMessageOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof AppError)) throw new Error('It did not fail.', { cause: error })
  return Object.values(error.fields)[0] ?? error.message
}

/** The mapping that the columns of a header suggest. */
export const mappingOf = (header: string, options: Partial<ImportMapping> = {}): ImportMapping => ({
  columns: guessColumns(header.split(',')),
  adds: false,
  clears: false,
  ...options,
})

/** Uploads and checks a file. Returns its id. */
export async function uploadAndCheck(
  db: Db,
  text: string,
  options: Partial<ImportMapping> = {},
): Promise<string> {
  const id = await uploadCsv(db, text)
  await checkImport(asAdmin(db), id, mappingOf(text.split(/\r?\n/, 1)[0] ?? '', options))
  // A request only checks for a second and leaves the rest to the job.
  await advanceImport(asAdmin(db), id, {})
  return id
}

/** Applies an import to its end, however long that takes. A request leaves the rest to the job. */
export async function applyWhole(
  db: Db,
  id: string,
  options: { leavesOut: boolean; round?: number },
): Promise<void> {
  await applyImport(asAdmin(db), id, options)
  await advanceImport(asAdmin(db), id, {})
}

export const linesOf = async (db: Db, id: string) =>
  (
    await listImportLines(asAdmin(db), id, {
      q: '',
      sort: 'line',
      dir: 'asc',
      size: 500,
      outcome: undefined,
    })
  ).rows

/**
 * A product with two variants created by the shop itself, so that its ledger and search are
 * correct.
 */
export async function createTwoVariants(db: Db) {
  const productId = await addProduct(db, { name: 'Ibuprofen' })
  const create = (options: object) =>
    createVariant(
      asAdmin(db),
      newVariantSchema.parse({
        productId,
        strength: '200',
        strengthUnit: 'mg',
        packageSize: 24,
        packageUnit: 'tablet',
        price: '5.00',
        ...options,
      }),
    )
  const first = await create({ sku: 'A-1', ndc: '0228-2899-96', stockQuantity: 10, brandName: 'Advil' })
  const second = await create({ sku: 'A-2', din: '00559407' })
  return { productId, first, second }
}

export const variantOf = (db: Db, id: string) =>
  db.selectFrom('productVariants').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

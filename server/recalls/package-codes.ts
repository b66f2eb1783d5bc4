import { listNamedPackages, listNdcPackages, type CatalogPackage } from '#db/screening/recalls.ts'
import { toItemValue, toVariantId } from '#domain/screening/recall-codes.ts'
import type { Context } from '../context.ts'

/** Reads all packages with an NDC. */
export type ReadNdcPackages = () => Promise<readonly CatalogPackage[]>

/** Reads them when they are first needed, and once: they may be most of the catalog. */
export function readNdcPackagesOnce({ db }: Pick<Context, 'db'>): ReadNdcPackages {
  let rows: Promise<readonly CatalogPackage[]> | null = null
  return () => (rows ??= listNdcPackages(db))
}

const isNdc = (code: string): boolean => toVariantId(code) === null && toItemValue(code) === null

/** The packages that these codes may name. */
export async function readPackages(
  { db }: Pick<Context, 'db'>,
  codes: readonly string[],
  readNdcPackages = readNdcPackagesOnce({ db }),
): Promise<CatalogPackage[]> {
  const named = await listNamedPackages(db, codes)
  const coded = codes.some(isNdc) ? await readNdcPackages() : []
  return [...new Map([...coded, ...named].map((row) => [row.id, row])).values()]
}

import { listLinkedVariants, removeLinks } from '#db/catalog/catalog-links.ts'
import type { ImportedVariant } from '#db/catalog/catalog-save.ts'
import type { Db } from '#db/engine/client.ts'
import { equivalenceKey } from './directory/link-generics.ts'

/**
 * Removes the links from and to the variants whose directory rows change what makes a brand and a
 * generic equivalent: product, strength, form, release, or being a brand. Other links stay, because
 * an admin may have chosen them.
 */
export async function removeOutdatedLinks(db: Db, rows: readonly ImportedVariant[]): Promise<void> {
  if (rows.length === 0) return
  const byKey = new Map(rows.map((row) => [row.variant.catalogKey, row]))
  const outdated = (await listLinkedVariants(db, [...byKey.keys()])).filter((stored) => {
    const row = byKey.get(stored.catalogKey ?? '')
    return (
      row !== undefined &&
      (row.productKey !== stored.productKey ||
        equivalenceKey(row.variant) !== equivalenceKey(stored) ||
        (row.variant.brandName === null) !== (stored.brandName === null))
    )
  })
  const ids = outdated.map(({ id }) => id)
  if (ids.length > 0) await removeLinks(db, ids)
}

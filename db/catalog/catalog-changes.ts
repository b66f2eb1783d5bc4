import type { Db } from '../engine/client.ts'
import type { CatalogChangesTable } from '../schema/back-office.ts'

export async function insertCatalogChange(db: Db, change: CatalogChangesTable): Promise<void> {
  await db.insertInto('catalogChanges').values(change).execute()
}

/** The newest changes of a variant, or of a product and all its variants, with what their actors' names are sealed by. */
export const listCatalogChangeRows = (
  db: Db,
  { productId, variantId, limit }: { productId: string; variantId: string | null; limit: number },
) =>
  db
    .selectFrom('catalogChanges as change')
    .leftJoin('users', 'users.id', 'change.actorId')
    .leftJoin('userKeys', 'userKeys.userId', 'users.id')
    .leftJoin('productVariants as variant', 'variant.id', 'change.variantId')
    .selectAll('change')
    .select([
      'users.sealedName',
      'users.sealedEmail',
      'userKeys.wrappedKey',
      'variant.brandName',
      'variant.strength',
      'variant.strengthUnit',
      'variant.packageSize',
      'variant.packageUnit',
    ])
    .$if(variantId === null, (query) => query.where('change.productId', '=', productId))
    .$if(variantId !== null, (query) => query.where('change.variantId', '=', variantId))
    .orderBy('change.id', 'desc')
    .limit(limit)
    .execute()

export type CatalogChangeRow = Awaited<ReturnType<typeof listCatalogChangeRows>>[number]

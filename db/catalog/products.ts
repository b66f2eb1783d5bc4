import { dosageForms, type DosageForm, type Product, type ProductCard } from '#domain/catalog/catalog.ts'
import { illustrationAlt, toIllustration, illustrationUrl } from '#domain/catalog/illustration.ts'
import { isPrivatePath, shownPicture } from '#domain/catalog/product-pictures.ts'
import { decimalFromCents } from '#domain/money.ts'
import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { ProductsTable } from '../schema/products.ts'
import { isOneOf } from '../engine/sql.ts'

const cardColumns = [
  'products.id',
  'products.name',
  'products.description',
  'products.image',
  'products.imageCopy',
  'products.category',
  'products.pharmacyId',
  'products.controlledSchedule',
  'products.route',
  'products.priceMinCents',
  'products.priceMaxCents',
  'products.inStock',
  'products.variantCount',
  'products.dosageForms',
  'products.coverVariantId',
  'cover.brandName as coverBrandName',
  'cover.dosageForm as coverDosageForm',
  'cover.strength as coverStrength',
  'cover.strengthUnit as coverStrengthUnit',
  'cover.packageSize as coverPackageSize',
  'cover.packageUnit as coverPackageUnit',
] as const

/** Whether a live variant has this identifier: 1 or 0. */
const hasIdentifier = (column: 'ndc' | 'din') =>
  sql<number>`case when exists (
    select 1 from product_variants v
    where v.product_id = products.id and v.deleted_at is null and ${sql.ref(`v.${column}`)} is not null
  ) then 1 else 0 end`

const marketColumns = [hasIdentifier('ndc').as('isUs'), hasIdentifier('din').as('isCanadian')] as const

type CardRow = Omit<Product, 'image'> &
  Pick<ProductsTable, 'route' | 'priceMinCents' | 'priceMaxCents' | 'coverVariantId'> & {
    image: string | null
    imageCopy: string | null
    inStock: boolean
    variantCount: number
    dosageForms: string
    /** Only of the cards of a list. */
    isUs?: number
    isCanadian?: number
    coverBrandName: string | null
    coverDosageForm: DosageForm | null
    coverStrength: string | null
    coverStrengthUnit: string | null
    coverPackageSize: number | null
    coverPackageUnit: string | null
  }

function toCover(row: CardRow): { image: string; imageAlt: string } {
  const shown = toIllustration(row, {
    brandName: row.coverBrandName,
    dosageForm: row.coverDosageForm,
    strength: row.coverStrength ?? '',
    strengthUnit: row.coverStrengthUnit ?? '',
    packageSize: row.coverPackageSize ?? 1,
    packageUnit: row.coverPackageUnit ?? '',
  })
  const picture = shownPicture(row.image, row.imageCopy)
  if (picture) return { image: picture, imageAlt: row.name }
  return { image: illustrationUrl(row.coverVariantId ?? row.id, shown), imageAlt: illustrationAlt(shown) }
}

/** The forms of `dosage_forms`: "tablet,syrup". */
export function readForms(text: string): DosageForm[] {
  const names = text.split(',')
  return dosageForms.filter((form) => names.includes(form))
}

function toCard(row: CardRow): ProductCard {
  const { image, imageAlt } = toCover(row)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    image,
    ...(row.image !== null && row.image !== image && !isPrivatePath(row.image) && { givenImage: row.image }),
    category: row.category,
    pharmacyId: row.pharmacyId,
    controlledSchedule: row.controlledSchedule,
    route: row.route,
    imageAlt,
    priceMin: row.priceMinCents === null ? null : decimalFromCents(row.priceMinCents),
    priceMax: row.priceMaxCents === null ? null : decimalFromCents(row.priceMaxCents),
    inStock: row.inStock,
    variantCount: row.variantCount,
    forms: readForms(row.dosageForms),
    markets: [row.isUs && 'US', row.isCanadian && 'Canada'].filter(Boolean).join(', ') || null,
    matchedVariantId: null,
    matchedIdentifier: null,
  }
}

const cardsByIds = prepareQuery((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('products')
    .leftJoin('productVariants as cover', 'cover.id', 'products.coverVariantId')
    .select(cardColumns)
    .select(marketColumns)
    .where(isOneOf(db, 'products.id', p.ids))
    .where('products.deletedAt', 'is', null),
)

/** The cards of these products in the order of the ids. Unknown ids are skipped. */
export async function loadProductCards(db: Db, ids: readonly string[]): Promise<ProductCard[]> {
  if (ids.length === 0) return []
  const rows = await cardsByIds(db, { ids: JSON.stringify(ids) })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [toCard(row)] : []
  })
}

const cardById = prepareQuery((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('products')
    .leftJoin('productVariants as cover', 'cover.id', 'products.coverVariantId')
    .select([...cardColumns, 'products.ingredients'])
    .where('products.id', '=', p.id)
    .where('products.deletedAt', 'is', null),
)

/** One product with its summary and its active ingredients (joined by "; "), or null. */
export async function findProductCard(
  db: Db,
  id: string,
): Promise<(ProductCard & { ingredients: string | null }) | null> {
  const [row] = await cardById(db, { id })
  return row ? { ...toCard(row), ingredients: row.ingredients } : null
}

/** A product's position in the list: by units sold, then name. */
export type ListCursor = Pick<ProductsTable, 'sortName'> & { salesOrder: number; id: string }

const cursorOfId = prepareQuery((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('products')
    .select(['salesOrder', 'sortName', 'id'])
    .where('id', '=', p.id)
    .where('deletedAt', 'is', null),
)

/** A product's position in the list, or null. A keyset page starts after it. */
export async function findListCursor(db: Db, id: string): Promise<ListCursor | null> {
  const [row] = await cursorOfId(db, { id })
  return row ?? null
}

const productsPage = prepareQuery((db, p: Params<ListCursor & { limit: number }>) =>
  db
    .selectFrom('products')
    .leftJoin('productVariants as cover', 'cover.id', 'products.coverVariantId')
    .select(cardColumns)
    .select(['products.salesOrder', 'products.sortName'])
    .where('products.deletedAt', 'is', null)
    .where(
      sql<boolean>`(products.sales_order, products.sort_name, products.id) > (${p.salesOrder}, ${p.sortName}, ${p.id})`,
    )
    .orderBy('products.salesOrder')
    .orderBy('products.sortName')
    .orderBy('products.id')
    .limit(p.limit),
)

/** The position before the first product. */
export const listStart: ListCursor = { salesOrder: Number.MIN_SAFE_INTEGER, sortName: '', id: '' }

/** The next `limit` products in list order after a position, each with its own. */
export async function listProducts(
  db: Db,
  { after, limit }: { after: ListCursor; limit: number },
): Promise<{ card: ProductCard; cursor: ListCursor }[]> {
  const rows = await productsPage(db, { ...after, limit })
  return rows.map((row) => ({
    card: toCard(row),
    cursor: { salesOrder: row.salesOrder, sortName: row.sortName, id: row.id },
  }))
}

/** Changes whenever any product or variant does: counts and sums of row versions. */
export async function catalogFingerprint(db: Db): Promise<string> {
  const sums = await Promise.all(
    (['products', 'productVariants'] as const).map((table) =>
      db
        .selectFrom(table)
        .select((eb) => [
          eb.fn.countAll<number>().as('count'),
          eb.cast<number>(eb.fn.sum('version'), 'bigint').as('versions'),
          eb.fn.max('id').as('newest'),
        ])
        .where('deletedAt', 'is', null)
        .executeTakeFirstOrThrow(),
    ),
  )
  return sums.map(({ count, versions, newest }) => `${count}.${versions ?? 0}.${newest ?? ''}`).join('-')
}

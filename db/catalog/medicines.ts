import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

const selectMedicines = (db: Db) =>
  db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .leftJoin('manufacturers', 'manufacturers.id', 'productVariants.manufacturerId')
    .select(({ fn }) => [
      'productVariants.id',
      'productVariants.productId',
      'productVariants.brandName',
      'productVariants.genericName',
      'productVariants.dosageForm',
      'productVariants.strength',
      'productVariants.strengthUnit',
      'productVariants.packageSize',
      'productVariants.packageUnit',
      'productVariants.labelStrength',
      'productVariants.labelForm',
      'productVariants.linkedVariantId',
      fn
        .coalesce('productVariants.controlledSchedule', 'products.controlledSchedule')
        .as('controlledSchedule'),
      'products.name as productName',
      'products.category',
      'products.ingredients',
      'products.route',
      'productVariants.manufacturerId',
      'manufacturers.name as manufacturer',
      'productVariants.applicationNumber',
      'productVariants.priceCents',
      'productVariants.inStock',
    ])

/** A variant with what its medicine is made of. */
export type MedicineRow = Awaited<ReturnType<typeof findMedicines>>[number]

/** These variants, also those that are no longer on sale, in no order. */
export const findMedicines = (db: Db, variantIds: readonly string[]) =>
  selectMedicines(db)
    .where(isOneOf(db, 'product_variants.id', sql`${JSON.stringify(variantIds)}`))
    .execute()

/** The variants on sale of these products, by product, brand and package. */
export const listMedicinesOfProducts = (db: Db, productIds: readonly string[]): Promise<MedicineRow[]> =>
  selectMedicines(db)
    .where(isOneOf(db, 'product_variants.product_id', sql`${JSON.stringify(productIds)}`))
    .where('productVariants.deletedAt', 'is', null)
    .orderBy('productVariants.productId')
    // Generics first, on both engines.
    .orderBy('productVariants.brandName', (order) => order.asc().nullsFirst())
    .orderBy('productVariants.id')
    .execute()

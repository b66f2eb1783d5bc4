import { newProductSchema } from '#domain/catalog/product-fields.ts'
import {
  adminVariantChangesSchema,
  newAdminVariantSchema,
  variantBounds,
} from '#domain/catalog/variant-fields.ts'
import { variantQuerySchema } from '#domain/catalog/variant-grid.ts'
import { requestKeyField } from '#domain/form-fields.ts'
import { z } from 'zod'
import { createCatalogEntry } from '../catalog/create-catalog-entry.ts'
import { updateAdminVariant } from '../catalog-edits/update-admin-variant.ts'
import { findSharedIdentifiers } from '../catalog/find-shared-identifiers.ts'
import { listAdminVariants } from '../catalog/list-admin-catalog.ts'
import { listManufacturerOptions, listSiblingOptions } from '../catalog/list-variant-options.ts'
import { listCatalogChanges } from '../catalog/list-catalog-changes.ts'
import { procedureFor, router } from './init.ts'
import { confirmableSchema, gridInput, searchTextSchema } from './inputs.ts'

const id = z.string().max(64)
const identifier = z.string().max(variantBounds.text).default('')

export const variantsRouter = router({
  list: procedureFor('catalog.write')
    .input(gridInput(variantQuerySchema))
    .query(({ ctx, input }) => listAdminVariants(ctx, input)),
  siblings: procedureFor('catalog.write')
    .input(z.object({ productId: id }))
    .query(({ ctx, input }) => listSiblingOptions(ctx, input.productId)),
  manufacturers: procedureFor('catalog.write')
    .input(searchTextSchema)
    .query(({ ctx, input }) => listManufacturerOptions(ctx, input.text)),
  sharedIdentifiers: procedureFor('catalog.write')
    .input(z.object({ id: id.nullable(), upc: identifier, ndc: identifier, din: identifier }))
    .query(({ ctx, input }) => findSharedIdentifiers(ctx, input)),
  history: procedureFor('catalog.write')
    .input(z.object({ productId: id, variantId: id }))
    .query(({ ctx, input }) => listCatalogChanges(ctx, input)),
  create: procedureFor('catalog.write')
    .input(
      z.object({
        product: newProductSchema.nullable(),
        variant: newAdminVariantSchema,
        requestKey: requestKeyField,
      }),
    )
    .mutation(({ ctx, input }) => createCatalogEntry(ctx, input)),
  update: procedureFor('catalog.write')
    .input(confirmableSchema.extend(adminVariantChangesSchema.shape))
    .mutation(({ ctx, input }) => updateAdminVariant(ctx, input)),
})

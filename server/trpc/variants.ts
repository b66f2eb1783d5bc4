import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { deskVariantChangesSchema, newDeskVariantSchema } from '#domain/catalog/variant-fields.ts'
import { variantQuerySchema } from '#domain/catalog/variant-grid.ts'
import { z } from 'zod'
import { addToCatalogue, editVariant } from '../catalog/update-catalog.ts'
import { listVariantsForDesk } from '../catalog/list-admin-catalog.ts'
import { offerManufacturers, offerSiblings } from '../catalog/list-variant-options.ts'
import { readCatalogHistory } from '../catalog/list-catalog-changes.ts'
import { adminProcedure, router } from './init.ts'
import { gridInput, typedSchema, versionedSchema } from './inputs.ts'

const id = z.string().max(64)

export const variantsRouter = router({
  list: adminProcedure
    .input(gridInput(variantQuerySchema))
    .query(({ ctx, input }) => listVariantsForDesk(ctx, input)),
  siblings: adminProcedure
    .input(z.object({ productId: id }))
    .query(({ ctx, input }) => offerSiblings(ctx, input.productId)),
  manufacturers: adminProcedure
    .input(typedSchema)
    .query(({ ctx, input }) => offerManufacturers(ctx, input.typed)),
  history: adminProcedure
    .input(z.object({ productId: id, variantId: id }))
    .query(({ ctx, input }) => readCatalogHistory(ctx, input)),
  create: adminProcedure
    .input(z.object({ product: newProductSchema.nullable(), variant: newDeskVariantSchema }))
    .mutation(({ ctx, input }) => addToCatalogue(ctx, input)),
  update: adminProcedure
    .input(versionedSchema.extend(deskVariantChangesSchema.shape))
    .mutation(({ ctx, input }) => editVariant(ctx, input)),
})

import { productChangesSchema } from '#domain/catalog/product-fields.ts'
import { productQuerySchema } from '#domain/catalog/variant-grid.ts'
import { deleteProduct } from '../catalog/delete-product.ts'
import { updateAdminProduct } from '../catalog/update-product.ts'
import { listAdminProducts } from '../catalog/list-admin-catalog.ts'
import { listProductOptions } from '../catalog/list-variant-options.ts'
import { listCatalogChanges } from '../catalog/list-catalog-changes.ts'
import { adminProcedure, router } from './init.ts'
import { gridInput, idSchema, searchTextSchema, versionedSchema } from './inputs.ts'

export const productsRouter = router({
  list: adminProcedure
    .input(gridInput(productQuerySchema))
    .query(({ ctx, input }) => listAdminProducts(ctx, input)),
  suggest: adminProcedure
    .input(searchTextSchema)
    .query(({ ctx, input }) => listProductOptions(ctx, input.text)),
  history: adminProcedure
    .input(idSchema)
    .query(({ ctx, input }) => listCatalogChanges(ctx, { productId: input.id, variantId: null })),
  update: adminProcedure
    .input(versionedSchema.extend(productChangesSchema.shape))
    .mutation(({ ctx, input }) => updateAdminProduct(ctx, input)),
  delete: adminProcedure.input(idSchema).mutation(({ ctx, input }) => deleteProduct(ctx, input.id)),
})

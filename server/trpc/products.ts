import { productChangesSchema } from '#domain/catalog/product-fields.ts'
import { productQuerySchema } from '#domain/catalog/variant-grid.ts'
import { deleteProduct } from '../catalog/delete-product.ts'
import { updateAdminProduct } from '../catalog/update-product.ts'
import { listAdminProducts } from '../catalog/list-admin-catalog.ts'
import { listProductOptions } from '../catalog/list-variant-options.ts'
import { listCatalogChanges } from '../catalog/list-catalog-changes.ts'
import { procedureFor, router } from './init.ts'
import { gridInput, idSchema, searchTextSchema, versionedSchema } from './inputs.ts'

export const productsRouter = router({
  list: procedureFor('catalog.write')
    .input(gridInput(productQuerySchema))
    .query(({ ctx, input }) => listAdminProducts(ctx, input)),
  suggest: procedureFor('catalog.write')
    .input(searchTextSchema)
    .query(({ ctx, input }) => listProductOptions(ctx, input.text)),
  history: procedureFor('catalog.write')
    .input(idSchema)
    .query(({ ctx, input }) => listCatalogChanges(ctx, { productId: input.id, variantId: null })),
  update: procedureFor('catalog.write')
    .input(versionedSchema.extend(productChangesSchema.shape))
    .mutation(({ ctx, input }) => updateAdminProduct(ctx, input)),
  delete: procedureFor('catalog.write')
    .input(idSchema)
    .mutation(({ ctx, input }) => deleteProduct(ctx, input.id)),
})

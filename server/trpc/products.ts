import { productChangesSchema } from '#domain/catalog/product-fields.ts'
import { productQuerySchema } from '#domain/catalog/variant-grid.ts'
import { deleteProduct } from '../catalog/delete-product.ts'
import { updateAdminProduct } from '../catalog/update-product.ts'
import { previewProductDeletion } from '../catalog-edits/preview-product-deletion.ts'
import { listAdminProducts } from '../catalog/list-admin-catalog.ts'
import { listProductOptions } from '../catalog/list-variant-options.ts'
import { listCatalogChanges } from '../catalog/list-catalog-changes.ts'
import { procedureFor, router } from './init.ts'
import { confirmableSchema, gridInput, idSchema, searchTextSchema } from './inputs.ts'

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
    .input(confirmableSchema.extend(productChangesSchema.shape))
    .mutation(({ ctx, input }) => updateAdminProduct(ctx, input)),
  previewDeletion: procedureFor('catalog.write')
    .input(idSchema)
    .query(({ ctx, input }) => previewProductDeletion(ctx, input.id)),
  delete: procedureFor('catalog.write')
    .input(idSchema)
    .mutation(({ ctx, input }) => deleteProduct(ctx, input.id)),
})

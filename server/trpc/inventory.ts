import { historyQuerySchema, stockQuerySchema } from '#domain/inventory/inventory-grid.ts'
import { lotQuerySchema } from '#domain/inventory/lot-list.ts'
import { adjustmentFormSchema } from '#domain/inventory/stock-adjustment.ts'
import { adjustStockWithUndo } from '../inventory/adjust-stock.ts'
import { listLots, listVariantLots } from '../inventory/list-lots.ts'
import { listHistory } from '../inventory/list-history.ts'
import { listStock, suggestVariants, getStockValue } from '../inventory/list-stock.ts'
import { z } from 'zod'
import { procedureFor, router } from './init.ts'
import { gridInput, searchTextSchema } from './inputs.ts'

export const inventoryRouter = router({
  stock: procedureFor('stock.read')
    .input(gridInput(stockQuerySchema))
    .query(({ ctx, input }) => listStock(ctx, input)),
  history: procedureFor('stock.read')
    .input(gridInput(historyQuerySchema))
    .query(({ ctx, input }) => listHistory(ctx, input)),
  value: procedureFor('costs.read').query(({ ctx }) => getStockValue(ctx)),
  suggest: procedureFor('stock.read')
    .input(searchTextSchema)
    .query(({ ctx, input }) => suggestVariants(ctx, input.text)),
  lots: procedureFor('stock.read')
    .input(z.object({ variantId: z.string() }))
    .query(({ ctx, input }) => listVariantLots(ctx, input.variantId)),
  allLots: procedureFor('stock.read')
    .input(gridInput(lotQuerySchema))
    .query(({ ctx, input }) => listLots(ctx, input)),
  adjust: procedureFor('stock.write')
    .input(adjustmentFormSchema)
    .mutation(async ({ ctx, input }) => {
      const { createdAt, ...row } = await adjustStockWithUndo(ctx, input)
      return { ...row, createdAt: createdAt.toISOString() }
    }),
})

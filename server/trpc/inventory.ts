import { historyQuerySchema, stockQuerySchema } from '#domain/inventory/inventory-grid.ts'
import { adjustmentSchema } from '#domain/inventory/stock-adjustment.ts'
import { adjustStock } from '../inventory/adjust-stock.ts'
import { listHistory } from '../inventory/list-history.ts'
import { listStock, suggestVariants, getStockValue } from '../inventory/list-stock.ts'
import { adminProcedure, router } from './init.ts'
import { gridInput, searchTextSchema } from './inputs.ts'

export const inventoryRouter = router({
  stock: adminProcedure.input(gridInput(stockQuerySchema)).query(({ ctx, input }) => listStock(ctx, input)),
  history: adminProcedure
    .input(gridInput(historyQuerySchema))
    .query(({ ctx, input }) => listHistory(ctx, input)),
  value: adminProcedure.query(({ ctx }) => getStockValue(ctx)),
  suggest: adminProcedure.input(searchTextSchema).query(({ ctx, input }) => suggestVariants(ctx, input.text)),
  adjust: adminProcedure.input(adjustmentSchema).mutation(async ({ ctx, input }) => {
    const { createdAt, ...row } = await adjustStock(ctx, input)
    return { ...row, createdAt: createdAt.toISOString() }
  }),
})

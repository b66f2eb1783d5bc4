import { z } from 'zod'
import { cleanLine } from './clean-text.ts'

/** What an employee keeps of a grid: hidden columns, column widths and named views. */

export const gridBounds = {
  columns: 50,
  minWidth: 48,
  maxWidth: 800,
  viewName: 60,
  viewsPerGrid: 30,
  viewParams: 20,
  paramLength: 600,
} as const

/** A named state of a grid: the parameters of its URL, which carry filters, sort and columns. */
export type GridView = { id: string; name: string; params: Readonly<Record<string, string>> }

export type GridSettings = {
  /** Ids of the hidden columns. */
  hidden: readonly string[]
  /** Pixels by column id, of the columns that were resized. */
  widths: Readonly<Record<string, number>>
  views: readonly GridView[]
}

/** The grids that remember an employee's columns and views. */
const gridNames = [
  'orders',
  'users',
  'products',
  'variants',
  'manufacturers',
  'pharmacies',
  'stock',
  'stock-history',
  'lots',
  'import-lines',
  'messages',
  'recalls',
  'imports',
] as const
export type GridName = (typeof gridNames)[number]

/** The grids whose search names people. It is never stored, and never in a URL. */
const privateGrids: readonly GridName[] = ['orders', 'users']

/** Parameters that name a page of the grid, not its state. */
const pageParams = ['after', 'before', 'last', 'from']

const gridName = z.enum(gridNames)
const columnId = z.string().min(1).max(50)

export const hideColumnsSchema = z.object({
  grid: gridName,
  columns: z.array(columnId).max(gridBounds.columns),
})

export const columnWidthsSchema = z
  .record(columnId, z.int().min(gridBounds.minWidth).max(gridBounds.maxWidth))
  .refine((widths) => Object.keys(widths).length <= gridBounds.columns)

export const resizeColumnsSchema = z.object({ grid: gridName, widths: columnWidthsSchema })

export const viewParamsSchema = z
  .record(
    z.string().regex(/^[\w.]{1,40}$/),
    z
      .string()
      .max(gridBounds.paramLength)
      .regex(/^\P{Cc}*$/u),
  )
  .refine((params) => Object.keys(params).length <= gridBounds.viewParams)

const viewName = z
  .string()
  .transform(cleanLine)
  .pipe(
    z
      .string()
      .min(1, 'Enter a name.')
      .max(gridBounds.viewName, `Use at most ${gridBounds.viewName} characters.`),
  )

export const saveViewSchema = z
  .object({ grid: gridName, name: viewName, params: viewParamsSchema })
  .transform(({ grid, name, params }) => ({
    grid,
    name,
    params: Object.fromEntries(
      Object.entries(params).filter(
        ([param]) => !pageParams.includes(param) && !(param === 'q' && privateGrids.includes(grid)),
      ),
    ),
  }))

export const renameViewSchema = z.object({ id: z.string().max(64), name: viewName })

export const viewMessages = {
  taken: 'You already have a view with this name.',
  tooMany: `You have ${gridBounds.viewsPerGrid} views of this list. Delete one first.`,
  missing: 'This view was deleted.',
} as const

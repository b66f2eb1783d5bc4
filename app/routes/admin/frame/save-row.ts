import { offerUndo } from '../../../ui/data-grid/undo.ts'

type StoredRow = { id: string; version: number; name: string }
type RowWrites<Row, Input> = {
  create: (input: Input) => Promise<unknown>
  update: (input: Input & { id: string; version: number }) => Promise<Row>
  /** Closes the dialog. */
  close: () => void
  /** Fetches the grid's rows again. */
  refresh: () => Promise<void>
}

/**
 * Creates a row, or updates `base` and offers to undo that. Then closes the dialog and
 * refreshes the grid.
 * @param toInput the input that stores a row's values, for the undo
 */
export async function saveRow<Row extends StoredRow, Input>(
  base: Row | null,
  input: Input,
  toInput: (row: Row) => Input,
  { create, update, close, refresh }: RowWrites<Row, Input>,
): Promise<void> {
  if (base) {
    const saved = await update({ ...input, id: base.id, version: base.version })
    offerUndo(`Updated ${saved.name}.`, {
      undo: () => update({ ...toInput(base), id: saved.id, version: saved.version }),
      refresh,
    })
  } else await create(input)
  close()
  await refresh()
}

/** A field whose typed value differs from the current row, both as text for display. */
export type StaleField = { label: string; yours: string; current: string }

/**
 * Shows a stale edit: the typed values beside the current row. Nothing is overwritten until the
 * user chooses one of the two.
 */
export const StaleNotice = ({
  fields,
  onUseCurrent,
  onKeepEdit,
}: {
  fields: readonly StaleField[]
  onUseCurrent: () => void
  onKeepEdit: () => void
}) => (
  <div ref={keepFocus} role="alert" className="mb-4 rounded-box border border-warning p-3">
    <p className="font-semibold">Someone else changed this after you opened it.</p>
    <table className="my-2 w-full text-start">
      <thead>
        <tr>
          <th scope="col" className="pe-3 text-start">
            Field
          </th>
          <th scope="col" className="pe-3 text-start">
            Your edit
          </th>
          <th scope="col" className="text-start">
            Current value
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ label, yours, current }) => (
          <tr key={label} className="align-top">
            <th scope="row" className="pe-3 text-start font-medium">
              {label}
            </th>
            <td className="pe-3">{yours || '–'}</td>
            <td>{current || '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <div className="flex flex-wrap gap-2">
      <button type="button" className="btn btn-outline" onClick={onUseCurrent}>
        Use current values
      </button>
      <button type="button" className="btn btn-outline" onClick={onKeepEdit}>
        Keep my edit
      </button>
    </div>
  </div>
)

/** The pressed button disappears with the notice, so the focus moves to the first field. */
const keepFocus = (notice: HTMLElement | null) => () => {
  if (notice?.contains(document.activeElement)) notice.closest('form')?.querySelector('input')?.focus()
}

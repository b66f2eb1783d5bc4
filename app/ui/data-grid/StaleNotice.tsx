export type StaleField = { name: string; mine: string; theirs: string }

/** An edit that met another: what one typed beside what stands there now. Nothing is overwritten until one says so. */
export const StaleNotice = ({
  fields,
  onTake,
  onKeep,
}: {
  fields: readonly StaleField[]
  onTake: () => void
  onKeep: () => void
}) => (
  <div role="alert" className="mb-4 rounded-box border border-warning p-3">
    <p className="font-semibold">Somebody has changed this since you opened it.</p>
    <table className="my-2 w-full text-start">
      <thead>
        <tr>
          <th scope="col" className="pe-3 text-start">
            Field
          </th>
          <th scope="col" className="pe-3 text-start">
            Yours
          </th>
          <th scope="col" className="text-start">
            Theirs
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, mine, theirs }) => (
          <tr key={name} className="align-top">
            <th scope="row" className="pe-3 text-start font-medium">
              {name}
            </th>
            <td className="pe-3">{mine || '–'}</td>
            <td>{theirs || '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <div className="flex gap-2">
      <button type="button" className="btn btn-outline" onClick={onTake}>
        Take theirs
      </button>
      <button type="button" className="btn btn-outline" onClick={onKeep}>
        Keep mine
      </button>
    </div>
  </div>
)

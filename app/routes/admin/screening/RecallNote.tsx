/** What every look at recalls must know about the lists. */
export const RecallNote = ({ listDate }: { listDate: string | null }) => (
  <p className="mb-4 max-w-3xl text-muted">
    {listDate === null ? 'No list of recalls was imported yet. ' : `The list is of ${listDate}. `}
    The FDA doesn’t update a status after it has published the report. The list that comes with the shop has
    the statuses as of July 2023. Canadian recalls are not in the lists. A missing entry never means that a
    medicine is safe.
  </p>
)

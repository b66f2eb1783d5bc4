import { formatDay } from '../../../components/orders/order-labels.ts'

/** The limits of the recall lists, for every page that shows recalls. */
export const RecallNote = ({ listDate }: { listDate: string | null }) => (
  <p className="mb-4 max-w-3xl text-muted">
    {listDate === null ? 'No recall list has been imported yet. ' : `List dated ${formatDay(listDate)}. `}
    The FDA doesn’t update a status after it has published the report. The list that comes with the shop has
    the statuses as of July 2023. Canadian recalls are not in the lists. A missing entry never means that a
    medicine is safe.
  </p>
)

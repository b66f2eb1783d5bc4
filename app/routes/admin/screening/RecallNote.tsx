import { formatDay } from '../../../components/orders/order-labels.ts'

const describeDates = (dates: readonly string[]): string => {
  if (dates.length === 0) return 'No recall list has been imported yet.'
  const days = new Intl.ListFormat('en-US').format(dates.map(formatDay))
  return `${dates.length === 1 ? 'List' : 'Lists'} dated ${days}.`
}

/** The limits of the recall lists, for every page that shows recalls. */
export const RecallNote = ({ listDates }: { listDates: readonly string[] }) => (
  <p className="mb-4 max-w-3xl text-muted">
    {describeDates(listDates)} The FDA doesn’t update a status after it has published the report. The list
    that comes with the shop has the statuses as of July 2023. Canadian recalls are not in the lists. A
    missing entry never means that a medicine is safe.
  </p>
)

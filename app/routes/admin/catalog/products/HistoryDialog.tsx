import type { CatalogChange, FieldValue } from '#domain/catalog/catalog-history.ts'
import type { ReactNode } from 'react'
import { toCallFailure } from '../../../../http/trpc.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { formatUtc } from '../../frame/format-date-time.ts'
import { variantLabels } from '../variants/variant-input.ts'

type HistoryDialogProps = {
  /** The name of the product or variant; null while the dialog is closed. */
  name: string | null
  onClose: () => void
  children: ReactNode
}

/** A dialog that lists who changed what, and when. */
export const HistoryDialog = ({ name, onClose, children }: HistoryDialogProps) => (
  <Dialog open={name !== null} onClose={onClose} place="side" title="History">
    <p className="mb-3 font-semibold">{name}</p>
    {children}
  </Dialog>
)

type HistoryQuery = { data?: CatalogChange[] | undefined; error: unknown; isPending: boolean }

/** The changes, newest first. */
export function ChangeList({ data, error, isPending }: HistoryQuery) {
  if (isPending) return <p role="status">Loading…</p>
  if (!data) return <p role="alert">{toCallFailure(error).message}</p>
  if (data.length === 0) {
    return <p className="text-muted">No changes yet. Changes from directory imports are not listed.</p>
  }
  return (
    <ol className="grid gap-4">
      {data.map((change) => (
        <li key={change.id} className="border-b border-line pb-4">
          <p>
            <b>{change.actor ?? 'Deleted account'}</b> {change.action} {change.variant ?? 'the product'}
            <time dateTime={change.at} className="block text-muted">
              {formatUtc(change.at)}
            </time>
          </p>
          <FieldTable change={change} />
        </li>
      ))}
    </ol>
  )
}

function FieldTable({ change: { fields, action } }: { change: CatalogChange }) {
  const visibleFields = fields.filter(({ name }) => action === 'updated' || name !== 'productId')
  if (visibleFields.length === 0) return null
  return (
    <table className="mt-1 w-full text-start">
      <thead>
        <tr>
          {['Field', 'Before', 'After'].map((header) => (
            <th key={header} scope="col" className="pe-3 text-start font-medium text-muted">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {visibleFields.map(({ name, before, after }) => (
          <tr key={name} className="align-top">
            <th scope="row" className="pe-3 text-start font-medium">
              {labels[name] ?? name}
            </th>
            <td className="pe-3">{displayValue(before)}</td>
            <td>{displayValue(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const labels: Readonly<Record<string, string>> = {
  ...variantLabels,
  name: 'Name',
  description: 'Description',
  image: 'Image URL',
  category: 'Category',
}

const displayValue = (value: FieldValue): string =>
  value === null || value === '' ? '–' : value === true ? 'Yes' : value === false ? 'No' : String(value)

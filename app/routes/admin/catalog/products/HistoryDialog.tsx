import type { CatalogChange, FieldValue } from '#domain/catalog/catalog-history.ts'
import type { ReactNode } from 'react'
import { failureOf } from '../../../../http/trpc.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { variantLabels } from '../variants/variant-input.ts'

type HistoryDialogProps = {
  /** What it is the history of; null while it is closed. */
  name: string | null
  onClose: () => void
  children: ReactNode
}

/** Who changed what, and when. */
export const HistoryDialog = ({ name, onClose, children }: HistoryDialogProps) => (
  <Dialog open={name !== null} onClose={onClose} place="side" title="History">
    <p className="mb-3 font-semibold">{name}</p>
    {children}
  </Dialog>
)

type Asked = { data?: CatalogChange[] | undefined; error: unknown; isPending: boolean }

/** The changes, the newest first. */
export function Changes({ data, error, isPending }: Asked) {
  if (isPending) return <p role="status">Loading…</p>
  if (!data) return <p role="alert">{failureOf(error).message}</p>
  if (data.length === 0) {
    return (
      <p className="text-muted">
        Nothing was changed at the desk yet. What the import of a directory wrote is not listed.
      </p>
    )
  }
  return (
    <ol className="grid gap-4">
      {data.map((change) => (
        <li key={change.id} className="border-b border-line pb-4">
          <p>
            <b>{change.by ?? 'Somebody whose account is gone'}</b> {change.action}{' '}
            {change.variant ?? 'the product'}
            <time dateTime={change.at} className="block text-muted">
              {momentOf(change.at)}
            </time>
          </p>
          <FieldTable change={change} />
        </li>
      ))}
    </ol>
  )
}

function FieldTable({ change: { fields, action } }: { change: CatalogChange }) {
  const shown = fields.filter(({ name }) => action === 'updated' || name !== 'productId')
  if (shown.length === 0) return null
  return (
    <table className="mt-1 w-full text-start">
      <thead>
        <tr>
          {['Field', 'Before', 'After'].map((head) => (
            <th key={head} scope="col" className="pe-3 text-start font-medium text-muted">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map(({ name, before, after }) => (
          <tr key={name} className="align-top">
            <th scope="row" className="pe-3 text-start font-medium">
              {labels[name] ?? name}
            </th>
            <td className="pe-3">{words(before)}</td>
            <td>{words(after)}</td>
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

const words = (value: FieldValue): string =>
  value === null || value === '' ? '–' : value === true ? 'Yes' : value === false ? 'No' : String(value)

/** In UTC, as all dates of the pages. */
const momentOf = (iso: string): string =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(iso))} UTC`

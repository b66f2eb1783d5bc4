import { importOutcomes, outcomeWords, type ImportOutcome } from '#domain/catalog/csv-imports.ts'
import type { GridPage } from '#domain/grid.ts'
import type { ImportLine, ImportView } from '#server/catalog/csv/get-import.ts'
import { useGridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { startWith, trpc } from '../../../../http/trpc.ts'
import { useHiddenColumns } from '../../frame/use-hidden-columns.ts'
import { Download } from '../../../../ui/admin-icons.tsx'
import { Badge, type BadgeTone } from '../../../../ui/Badge.tsx'
import { DataGrid } from '../../../../ui/data-grid/DataGrid.tsx'
import { GridPager } from '../../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../../ui/data-grid/GridToolbar.tsx'
import type { GridColumn, GridPlaceInUrl } from '../../../../ui/data-grid/grid-types.ts'
import { Link } from '../../../../ui/Link.tsx'

type CheckedLinesProps = {
  file: Pick<ImportView, 'id' | 'counts' | 'status'>
  loaded: { params: Record<string, string>; page: GridPage<ImportLine> }
  hidden: string[]
}

/** What each line of a file would do, or did. */
export function CheckedLines({ file, loaded, hidden: loadedHidden }: CheckedLinesProps) {
  const url = useGridUrl()
  const [hidden, hide] = useHiddenColumns('import-lines', loadedHidden)
  const { data = loaded.page, isFetching } = trpc.imports.lines.useQuery(
    { id: file.id, query: url.params },
    startWith(loaded, url.params),
  )
  return (
    <section aria-labelledby="lines" className="mt-6">
      <h2 id="lines" className="mb-2">
        Line by line
      </h2>
      <div className="mb-3">
        <GridToolbar
          url={url}
          filters={<OutcomeLinks url={url} counts={file.counts} />}
          actions={
            file.counts.refused > 0 ? (
              <a href={`/admin/variants/import/${file.id}/refused.csv`} className="btn btn-ghost" download>
                <Download /> Refused lines as CSV
              </a>
            ) : null
          }
          columns={columns}
          hidden={hidden}
          onHide={hide}
        />
      </div>
      <DataGrid
        label="Lines of the file"
        columns={columns}
        rows={data.rows}
        nameOf={({ line }) => `line ${line}`}
        url={url}
        sort="line"
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        hidden={hidden}
        empty="No line of this kind."
        isBusy={isFetching}
      />
      <div className="mt-2">
        <GridPager url={url} page={data} />
      </div>
    </section>
  )
}

type OutcomeLinksProps = { url: GridPlaceInUrl; counts: ImportView['counts'] }

function OutcomeLinks({ url, counts }: OutcomeLinksProps) {
  const chosen = url.params['outcome'] ?? ''
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const choices = [
    ['', 'All', all] as const,
    ...importOutcomes.map((outcome) => [outcome, outcomeWords[outcome], counts[outcome]] as const),
  ]
  return (
    <nav aria-label="Lines by outcome" className="flex flex-wrap gap-1">
      {choices.map(([value, word, count]) => (
        <Link
          key={value}
          to={url.hrefOf({ outcome: value })}
          preventScrollReset
          defaultShouldRevalidate={false}
          className={`btn ${value === chosen ? 'btn-primary' : 'btn-ghost'}`}
          aria-current={value === chosen ? 'true' : undefined}
        >
          {word} {count.toLocaleString('en-US')}
        </Link>
      ))}
    </nav>
  )
}

const tones: Readonly<Record<ImportOutcome, BadgeTone>> = {
  added: 'success',
  changed: 'primary',
  unchanged: 'neutral',
  refused: 'error',
}

const columns: GridColumn<ImportLine>[] = [
  { id: 'line', header: 'Line', sort: 'line', width: 'w-16', cell: ({ line }) => line },
  {
    id: 'outcome',
    header: 'Outcome',
    width: 'w-28',
    cell: ({ outcome }) => <Badge tone={tones[outcome]}>{outcomeWords[outcome]}</Badge>,
  },
  { id: 'variant', header: 'Variant', width: 'min-w-72', cell: ({ name }) => name ?? '–' },
  {
    id: 'changes',
    header: 'What changes',
    width: 'min-w-72',
    cell: ({ problem, changes, outcome }) =>
      problem === null ? (
        <Changes changes={changes} isNew={outcome === 'added'} />
      ) : (
        <ul className="text-error">
          {problem.split('\n').map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ),
  },
]

const Changes = ({ changes, isNew }: { changes: ImportLine['changes']; isNew: boolean }) => (
  <ul>
    {changes.map(({ field, before, after }) => (
      <li key={field}>
        {field}:{' '}
        {isNew ? null : (
          <>
            <del className="text-muted">{before || 'empty'}</del> →{' '}
          </>
        )}
        <ins className="font-semibold no-underline">{after || 'empty'}</ins>
      </li>
    ))}
  </ul>
)

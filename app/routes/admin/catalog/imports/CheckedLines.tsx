import { importOutcomes, outcomeLabels, type ImportOutcome } from '#domain/catalog/csv-imports.ts'
import type { GridPage } from '#domain/grid.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import type { ImportLine, ImportDetails } from '#server/catalog/csv/get-import.ts'
import { useEffect, useRef } from 'react'
import { useGridUrl, type GridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { initialFromLoader, trpc } from '../../../../http/trpc.ts'
import { useGridSettings, type LoadedSettings } from '../../frame/use-grid-settings.ts'
import { Download } from '../../../../ui/admin-icons.tsx'
import { Badge, type BadgeTone } from '../../../../ui/Badge.tsx'
import { DataGrid } from '../../../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../../../ui/data-grid/GridLink.tsx'
import { GridPager } from '../../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../../ui/data-grid/GridToolbar.tsx'
import type { GridColumn } from '../../../../ui/data-grid/grid-types.ts'

type CheckedLinesProps = {
  file: Pick<ImportDetails, 'id' | 'counts' | 'status' | 'warned'>
  loaded: { params: Record<string, string>; page: GridPage<ImportLine> }
  settings: LoadedSettings
}

/** What each line of a file will change, or has changed. */
export function CheckedLines({ file, loaded, settings: loadedSettings }: CheckedLinesProps) {
  const url = useGridUrl()
  const settings = useGridSettings('import-lines', loadedSettings, url)
  const { data = loaded.page, isFetching } = trpc.imports.lines.useQuery(
    { id: file.id, query: url.params },
    initialFromLoader(loaded, url.params),
  )
  const { lines } = trpc.useUtils().imports
  const shownPage = useRef(loaded.page)
  // The loader ran again: the file was checked again or applied, so the cached lines are stale.
  useEffect(() => {
    if (shownPage.current !== loaded.page) void lines.invalidate()
    shownPage.current = loaded.page
  }, [loaded.page, lines])
  return (
    <section aria-labelledby="lines" className="mt-6">
      <h2 id="lines" className="mb-2">
        Lines
      </h2>
      <div className="mb-3">
        <GridToolbar
          url={url}
          filters={<OutcomeLinks url={url} counts={file.counts} warned={file.warned} />}
          actions={
            file.counts.refused > 0 ? (
              <a href={adminPaths.rejectedLines(file.id)} className="btn btn-ghost" download>
                <Download /> Export rejected lines
              </a>
            ) : null
          }
          columns={columns}
          settings={settings}
        />
      </div>
      <DataGrid
        label="Lines in the file"
        columns={columns}
        rows={data.rows}
        nameOf={({ line }) => `line ${line}`}
        url={url}
        sort="line"
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        settings={settings}
        empty="No matching lines."
        isBusy={isFetching}
      />
      <div className="mt-2">
        <GridPager url={url} page={data} />
      </div>
    </section>
  )
}

type OutcomeLinksProps = { url: GridUrl } & Pick<ImportDetails, 'counts' | 'warned'>

function OutcomeLinks({ url, counts, warned }: OutcomeLinksProps) {
  const selected = url.params['outcome'] ?? ''
  const totalCount = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const choices = [
    ['', 'All', totalCount] as const,
    ...importOutcomes.map((outcome) => [outcome, outcomeLabels[outcome], counts[outcome]] as const),
    ...(warned > 0 ? [['warned', 'To check', warned] as const] : []),
  ]
  return (
    <nav aria-label="Lines by outcome" className="tab-links">
      {choices.map(([value, label, count]) => (
        <GridLink
          key={value}
          url={url}
          change={{ outcome: value }}
          aria-current={value === selected ? 'true' : undefined}
        >
          {label} {count.toLocaleString('en-US')}
        </GridLink>
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
    cell: ({ outcome }) => <Badge tone={tones[outcome]}>{outcomeLabels[outcome]}</Badge>,
  },
  { id: 'variant', header: 'Variant', width: 'min-w-72', cell: ({ name }) => name ?? '–' },
  {
    id: 'changes',
    header: 'What changes',
    width: 'min-w-72',
    cell: ({ problem, warning, changes, outcome }) =>
      problem === null ? (
        <>
          <Changes changes={changes} isNew={outcome === 'added'} />
          {warning ? <Sentences text={warning} className="text-warning" /> : null}
        </>
      ) : (
        <Sentences text={problem} className="text-error" />
      ),
  },
]

const Sentences = ({ text, className }: { text: string; className: string }) => (
  <ul className={className}>
    {text.split('\n').map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
)

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

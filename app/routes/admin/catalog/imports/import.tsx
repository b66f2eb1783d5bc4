import { importFieldNames, type ImportField, type ImportMapping } from '#domain/catalog/csv-imports.ts'
import { AppError } from '#domain/errors.ts'
import { importLineQuerySchema } from '#domain/catalog/import-lines.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { applyImport, checkImport, discardImport } from '#server/catalog/csv/start-import.ts'
import { listImportLines, getImport } from '#server/catalog/csv/get-import.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { redirect } from 'react-router'
import { adminAction, adminLoader, gridParams } from '../../../../http/admin-loader.server.ts'
import { withFormFailure, getText } from '../../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../../http/network-fallback.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Disclosure } from '../../../../ui/Disclosure.tsx'
import type { Route } from './+types/import'
import { ApplyForm } from './ApplyForm.tsx'
import { CheckedLines } from './CheckedLines.tsx'
import { DiscardForm } from './DiscardForm.tsx'
import { MappingForm } from './MappingForm.tsx'
import { ProgressNote } from './ProgressNote.tsx'
import { AdminPage } from '../../frame/AdminPage.tsx'

const listPath = adminPaths.imports

export const loader = adminLoader('catalog.write', async (ctx, args: Route.LoaderArgs) => {
  const { id } = args.params
  const params = gridParams(args)
  const [file, settings] = await Promise.all([getImport(ctx, id), getGridSettings(ctx, 'import-lines')])
  const isChecked = file.status === 'checked' || file.status === 'applied'
  const page = isChecked ? await listImportLines(ctx, id, importLineQuerySchema.parse(params)) : null
  return { file, params, page, settings }
})

export const action = adminAction('catalog.write', async (ctx, { params }: Route.ActionArgs, form) => {
  const { id } = params
  return withFormFailure(form, async () => {
    switch (getText(form, 'intent') ?? '') {
      case 'check':
        await checkImport(ctx, id, parseMapping(form))
        return redirect(`${listPath}/${id}`, { status: 303 })
      case 'apply':
        await applyImport(ctx, id, { leavesOut: form.has('leavesOut'), round: parseRound(form) })
        return redirect(`${listPath}/${id}`, { status: 303 })
      case 'discard':
        await discardImport(ctx, id)
        return redirect(listPath, { status: 303 })
      default:
        throw new AppError('BAD_REQUEST')
    }
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

export { revalidateAfterConflict as shouldRevalidate } from '../../../../http/revalidate-after-conflict.ts'

/** The check that the page shows; undefined without it, which applies the last one. */
const parseRound = (form: FormData): number | undefined => {
  const round = getText(form, 'round')
  return round ? Number(round) : undefined
}

/**
 * The column mapping of the form. Throws INVALID (columns) when two columns map to the same field.
 */
function parseMapping(form: FormData): ImportMapping {
  const columns: Partial<Record<ImportField, number>> = {}
  for (const [name, value] of form) {
    const index = /^column-(\d{1,3})$/.exec(name)?.[1]
    const field = importFieldNames.find((field) => field === value)
    if (index === undefined || field === undefined) continue
    if (columns[field] !== undefined) {
      throw new AppError('INVALID', undefined, {
        fields: { columns: 'Two columns are mapped to the same field. Use each field only once.' },
      })
    }
    columns[field] = Number(index)
  }
  return { columns, adds: form.has('adds'), clears: form.has('clears') }
}

/** One import: its column mapping, what each line will change, and the result. */
export default function ImportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { file, page } = loaderData
  const { status, counts } = file
  const problem = actionData ? (actionData.fields['columns'] ?? actionData.message) : null
  return (
    <AdminPage
      title="Import variants"
      back={{ to: listPath, label: 'All files' }}
      actions={status === 'applying' ? null : <DiscardForm isApplied={status === 'applied'} />}
    >
      <p className="mb-3">
        <b className="wrap-anywhere">{file.fileName}</b>, {file.rowCount.toLocaleString('en-US')}{' '}
        {file.rowCount === 1 ? 'line' : 'lines'}
      </p>
      {problem ? (
        <div className="mb-3">
          <Alert kind="error" title={problem} />
        </div>
      ) : null}
      {status === 'received' ? <MappingForm file={file} /> : null}
      {status === 'checking' || status === 'applying' ? (
        <ProgressNote id={file.id} loaded={file.progress} />
      ) : null}
      {status === 'checked' ? (
        <>
          <Disclosure summary="Column mapping" className="mb-3">
            <MappingForm file={file} />
          </Disclosure>
          <ApplyForm file={file} />
        </>
      ) : null}
      {status === 'applied' ? <Applied counts={counts} /> : null}
      {page ? (
        <CheckedLines
          file={file}
          loaded={{ params: loaderData.params, page }}
          settings={loaderData.settings}
        />
      ) : null}
    </AdminPage>
  )
}

const Applied = ({ counts }: Pick<Route.ComponentProps['loaderData']['file'], 'counts'>) => (
  <Alert kind={counts.refused > 0 ? 'warning' : 'success'} title="Import complete.">
    <p>
      {counts.added.toLocaleString('en-US')} added, {counts.changed.toLocaleString('en-US')} changed,{' '}
      {counts.refused.toLocaleString('en-US')} skipped. Each variant’s history lists its changes.
    </p>
  </Alert>
)

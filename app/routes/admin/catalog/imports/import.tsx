import { importFieldNames, type ImportField, type ImportMapping } from '#domain/catalog/csv-imports.ts'
import { AppError } from '#domain/errors.ts'
import { importLineQuerySchema } from '#domain/catalog/import-lines.ts'
import { applyImport, checkImport, discardImport } from '#server/catalog/csv/start-import.ts'
import { listImportLines, viewImport } from '#server/catalog/csv/get-import.ts'
import { readHiddenColumns } from '#server/grids/hidden-columns.ts'
import { redirect } from 'react-router'
import { adminLoader, gridParamsOf } from '../../../../http/admin-loader.server.ts'
import { orRefusal, readForm, textOf } from '../../../../http/form-action.server.ts'
import { orUnreached } from '../../../../http/network-fallback.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { LinkButton } from '../../../../ui/Button.tsx'
import { Disclosure } from '../../../../ui/Disclosure.tsx'
import { ArrowLeft } from '../../../../ui/icons.tsx'
import type { Route } from './+types/import'
import { ApplyForm } from './ApplyForm.tsx'
import { CheckedLines } from './CheckedLines.tsx'
import { DiscardForm } from './DiscardForm.tsx'
import { MappingForm } from './MappingForm.tsx'
import { ProgressNote } from './ProgressNote.tsx'
import { AdminPage } from '../../frame/AdminPage.tsx'

const listPath = '/admin/variants/import'

export const loader = adminLoader(async (ctx, args: Route.LoaderArgs) => {
  const { id } = args.params
  const params = gridParamsOf(args)
  const [file, hidden] = await Promise.all([viewImport(ctx, id), readHiddenColumns(ctx, 'import-lines')])
  const isChecked = file.status === 'checked' || file.status === 'applied'
  const page = isChecked ? await listImportLines(ctx, id, importLineQuerySchema.parse(params)) : null
  return { file, params, page, hidden }
})

export const action = adminLoader(async (ctx, { request, params }: Route.ActionArgs) => {
  const form = await readForm(request)
  const { id } = params
  return orRefusal(form, async () => {
    switch (textOf(form, 'intent') ?? '') {
      case 'check':
        await checkImport(ctx, id, mappingOf(form))
        return redirect(`${listPath}/${id}`, { status: 303 })
      case 'apply':
        await applyImport(ctx, id, { leavesOut: form.has('leavesOut') })
        return redirect(`${listPath}/${id}`, { status: 303 })
      case 'discard':
        await discardImport(ctx, id)
        return redirect(listPath, { status: 303 })
      default:
        throw new AppError('BAD_REQUEST')
    }
  })
})

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

/** The columns that the form says something of. Throws INVALID (columns) where two say the same. */
function mappingOf(form: FormData): ImportMapping {
  const columns: Partial<Record<ImportField, number>> = {}
  for (const [name, value] of form) {
    const place = /^column-(\d{1,3})$/.exec(name)?.[1]
    const field = importFieldNames.find((field) => field === value)
    if (place === undefined || field === undefined) continue
    if (columns[field] !== undefined) {
      throw new AppError('INVALID', undefined, {
        fields: { columns: 'Two columns say the same. Choose one of them.' },
      })
    }
    columns[field] = Number(place)
  }
  return { columns, adds: form.has('adds'), clears: form.has('clears') }
}

/** A file on its way into the catalogue: what its columns say, what each line would do, and what became of it. */
export default function ImportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { file, page } = loaderData
  const { status, counts } = file
  const problem = actionData ? (actionData.fields['columns'] ?? actionData.message) : null
  return (
    <AdminPage
      title="Import variants"
      actions={
        <>
          <LinkButton to={listPath} kind="quiet">
            <ArrowLeft /> All files
          </LinkButton>
          {status === 'applying' ? null : <DiscardForm isApplied={status === 'applied'} />}
        </>
      }
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
          <Disclosure summary="What the columns say" className="mb-3">
            <MappingForm file={file} />
          </Disclosure>
          <ApplyForm counts={counts} />
        </>
      ) : null}
      {status === 'applied' ? <Applied counts={counts} /> : null}
      {page ? (
        <CheckedLines file={file} loaded={{ params: loaderData.params, page }} hidden={loaderData.hidden} />
      ) : null}
    </AdminPage>
  )
}

const Applied = ({ counts }: Pick<Route.ComponentProps['loaderData']['file'], 'counts'>) => (
  <Alert kind={counts.refused > 0 ? 'warning' : 'success'} title="The file is applied.">
    <p>
      {counts.added.toLocaleString('en-US')} added, {counts.changed.toLocaleString('en-US')} changed,{' '}
      {counts.refused.toLocaleString('en-US')} left out. Each change stands in the history of its variant.
    </p>
  </Alert>
)

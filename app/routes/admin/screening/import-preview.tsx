import { AppError } from '#domain/errors.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { needsRecentCode, withRecentCode } from '#server/accounts/recent-code.ts'
import {
  discardCareUpload,
  importCareUpload,
  previewCareUpload,
  type CareUploadPreview,
} from '#server/recalls/care-uploads.ts'
import { printRecallResult } from '#server/recalls/print-recall-result.ts'
import { z } from 'zod'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { CodeField } from '../../../components/CodeField.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { AdminCard, Facts } from '../orders/AdminCard.tsx'
import type { Route } from './+types/import-preview'
import { RecallEffects } from './RecallEffects.tsx'

export const loader = adminLoader('settings.write', async (ctx, { params: { id } }: Route.LoaderArgs) => ({
  preview: await previewCareUpload(ctx, id),
  needsCode: needsRecentCode(ctx),
}))

const codeSchema = z.object({ code: z.string().max(100, 'This code is too long.').default('') })

export const action = adminAction('settings.write', async (ctx, args: Route.ActionArgs, form) => {
  const { id } = args.params
  const intent = getText(form, 'intent')
  if (intent === 'discard') {
    await discardCareUpload(ctx, id)
    return redirectWithToast(args, adminPaths.careImports, { kind: 'success', title: 'File discarded' })
  }
  if (intent !== 'import') throw new AppError('BAD_REQUEST')
  return formAction(form, codeSchema, async ({ code }) => {
    const result = await importCareUpload(await withRecentCode(ctx, code), id)
    const text = printRecallResult(result).join(' ')
    return redirectWithToast(args, result.recalls > 0 ? adminPaths.recalls : adminPaths.screeningLists, {
      kind: 'success',
      title: 'File imported',
      ...(text !== '' && { text }),
    })
  })
})

const number = (count: number): string => count.toLocaleString('en-US')

/** Shows what an import would do, and asks to confirm or discard it. */
export default function CareImportPreview({ loaderData, actionData }: Route.ComponentProps) {
  const { preview, needsCode } = loaderData
  const failure = actionData ?? null
  return (
    <AdminPage
      title="Check the import"
      back={{ to: adminPaths.careImports, label: 'Import recalls or shortages' }}
    >
      <div className="grid max-w-3xl gap-4">
        {failure ? (
          <ErrorSummary title={failure.message ?? 'Nothing was imported.'} fields={failure.fields} />
        ) : null}
        <AdminCard title="File">
          <FileFacts preview={preview} />
        </AdminCard>
        {preview.effects ? (
          <RecallEffects title="What the new and changed recalls will do" effects={preview.effects} />
        ) : null}
        <div className="flex flex-wrap items-end gap-3">
          <PostForm className="flex flex-wrap items-end gap-3">
            <input type="hidden" name="intent" value="import" />
            {needsCode ? <CodeField id="code" error={failure?.fields['code']} /> : null}
            <Button kind="primary">Import</Button>
          </PostForm>
          <PostForm>
            <input type="hidden" name="intent" value="discard" />
            <Button kind="quiet">Discard the file</Button>
          </PostForm>
        </div>
      </div>
    </AdminPage>
  )
}

function FileFacts({ preview }: { preview: CareUploadPreview }) {
  const { fileName, list, mode, rowCount, withoutNdc, unclassified, newestDay, changes } = preview
  return (
    <Facts
      facts={[
        ['File', fileName],
        ['List', list],
        ['Effect', mode === 'merge' ? 'Added to the list' : 'Replaces the whole list'],
        ['Newest entry', newestDay ?? 'Unknown'],
        ['Entries', number(rowCount)],
        ...(withoutNdc > 0 ? ([['Without an NDC, left out', number(withoutNdc)]] as const) : []),
        ...(unclassified > 0
          ? ([['Without a class or status, left out', number(unclassified)]] as const)
          : []),
        ['New', number(changes.added)],
        ['Changed', number(changes.changed)],
        ['Removed', number(changes.removed)],
        ['Unchanged', number(changes.same)],
      ]}
    />
  )
}

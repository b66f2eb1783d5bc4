import { csvBounds, fileTooLarge } from '#domain/catalog/csv-imports.ts'
import { importQuerySchema } from '#domain/catalog/import-list.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { storeCsv } from '#server/catalog/csv/store-csv.ts'
import { listImports } from '#server/catalog/csv/get-import.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { useState } from 'react'
import { redirect } from 'react-router'
import { adminLoader, adminUpload, gridParams } from '../../../../http/admin-loader.server.ts'
import { readFileForm, type FileBounds } from '../../../../http/file-form.server.ts'
import { withNetworkFallback } from '../../../../http/network-fallback.ts'
import { FileUp } from '../../../../ui/admin-icons.tsx'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { PostForm, useIsPosting } from '../../../../ui/PostForm.tsx'
import type { Route } from './+types/imports'
import { ImportList } from './ImportList.tsx'
import { AdminPage } from '../../frame/AdminPage.tsx'

export const loader = adminLoader('catalog.write', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const [page, settings] = await Promise.all([
    listImports(ctx, importQuerySchema.parse(params)),
    getGridSettings(ctx, 'imports'),
  ])
  return { params, page, settings }
})

const fileLimits: FileBounds = {
  bytes: csvBounds.bytes,
  tooLarge: fileTooLarge,
  missing: 'Choose a CSV file.',
}

export const action = adminUpload('catalog.write', (ctx, { request }: Route.ActionArgs) =>
  readFileForm(request, fileLimits, async (file) =>
    redirect(adminPaths.import(await storeCsv(ctx, file)), { status: 303 }),
  ),
)

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

/**
 * Uploads a CSV file of variants, prices or stock. The next page previews its changes before they
 * apply.
 */
export default function ImportsPage({ loaderData, actionData }: Route.ComponentProps) {
  const [isTooLarge, setTooLarge] = useState(false)
  const isSending = useIsPosting()
  const error = isTooLarge ? fileTooLarge : actionData?.fields['file']
  return (
    <AdminPage title="Import variants" back={{ to: adminPaths.variants, label: 'Products' }}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <PostForm
          encType="multipart/form-data"
          noValidate={false}
          className="card border border-line p-4"
          onSubmit={(event) => {
            if (isTooLarge) event.preventDefault()
          }}
        >
          {actionData && !actionData.fields['file'] ? (
            <Alert kind="error" title={actionData.message ?? 'We couldn’t upload the file.'} />
          ) : null}
          <Field
            label="CSV file"
            name="file"
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            required
            error={error}
            hint={`Up to 64 MB and ${csvBounds.rows.toLocaleString('en-US')} lines. UTF-8, or UTF-16 with a byte order mark. Separated by commas, semicolons or tabs.`}
            onChange={(event) => setTooLarge((event.currentTarget.files?.[0]?.size ?? 0) > csvBounds.bytes)}
          />
          <div className="mt-4">
            <Button kind="primary" aria-disabled={isSending || undefined}>
              <FileUp /> {isSending ? 'Uploading…' : 'Upload'}
            </Button>
          </div>
        </PostForm>
        <section aria-labelledby="how" className="card border border-line p-4">
          <h2 id="how">How it works</h2>
          <ol className="mt-2 list-decimal space-y-1 ps-5">
            <li>
              The first line names the columns. One column identifies the variant by ID, NDC, DIN, UPC or SKU.
            </li>
            <li>Choose a field for each column and review every change. Nothing changes yet.</li>
            <li>
              Apply the file. We skip and list any line whose variant has changed since the check. You can
              export rejected lines as CSV, with the reasons.
            </li>
          </ol>
        </section>
      </div>
      <ImportList loaded={loaderData} settings={loaderData.settings} />
    </AdminPage>
  )
}

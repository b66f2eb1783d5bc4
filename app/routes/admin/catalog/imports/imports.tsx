import { csvBounds, tooLargeFile } from '#domain/catalog/csv-imports.ts'
import { receiveCsv } from '#server/catalog/csv/store-csv.ts'
import { listRecentImports } from '#server/catalog/csv/get-import.ts'
import { useState } from 'react'
import { Form, redirect, useNavigation } from 'react-router'
import { adminLoader } from '../../../../http/admin-loader.server.ts'
import { readFileForm, type FileBounds } from '../../../../http/file-form.server.ts'
import { orRefusal } from '../../../../http/form-action.server.ts'
import { orUnreached } from '../../../../http/network-fallback.ts'
import { FileUp } from '../../../../ui/admin-icons.tsx'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/Field.tsx'
import type { Route } from './+types/imports'
import { ImportList } from './ImportList.tsx'
import { AdminPage } from '../../frame/AdminPage.tsx'

export const loader = adminLoader(async (ctx) => ({ imports: await listRecentImports(ctx) }))

const bounds: FileBounds = {
  bytes: csvBounds.bytes,
  tooLarge: tooLargeFile,
  missing: 'Please choose a CSV file.',
}

export const action = adminLoader(async (ctx, { request }: Route.ActionArgs) =>
  orRefusal(new FormData(), () =>
    readFileForm(request, bounds, async (file) =>
      redirect(`/admin/variants/import/${await receiveCsv(ctx, file)}`, { status: 303 }),
    ),
  ),
)

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

/** Where a file of variants, prices or stock is brought; what it does is seen on a page of its own, before it is done. */
export default function ImportsPage({ loaderData, actionData }: Route.ComponentProps) {
  const [isTooLarge, setTooLarge] = useState(false)
  const isSending = useNavigation().formMethod === 'POST'
  const error = isTooLarge ? tooLargeFile : actionData?.fields['file']
  return (
    <AdminPage title="Import variants">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Form
          method="post"
          encType="multipart/form-data"
          className="card border border-line p-4"
          onSubmit={(event) => {
            if (isTooLarge || isSending) event.preventDefault()
          }}
        >
          {actionData && !actionData.fields['file'] ? (
            <Alert kind="error" title={actionData.message ?? 'The file was not taken.'} />
          ) : null}
          <Field
            label="CSV file"
            name="file"
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            required
            error={error}
            hint={`At most 64 MB and ${csvBounds.rows.toLocaleString('en-US')} lines; UTF-8, or UTF-16 with its mark; commas, semicolons or tabs.`}
            onChange={(event) => setTooLarge((event.currentTarget.files?.[0]?.size ?? 0) > csvBounds.bytes)}
          />
          <div className="mt-4">
            <Button kind="primary" aria-disabled={isSending || undefined}>
              <FileUp /> {isSending ? 'Uploading…' : 'Upload'}
            </Button>
          </div>
        </Form>
        <section aria-labelledby="how" className="card border border-line p-4">
          <h2 id="how">How it goes</h2>
          <ol className="mt-2 list-decimal space-y-1 ps-5">
            <li>
              The first line names the columns. One of them names the variant: its id, NDC, DIN, UPC or SKU.
            </li>
            <li>
              You say what each column means, and see line by line what would change. Nothing is changed yet.
            </li>
            <li>
              You apply it. What somebody has changed in between is left as it is, and told. What is refused
              can be had as CSV, with the reasons.
            </li>
          </ol>
        </section>
      </div>
      <ImportList imports={loaderData.imports} />
    </AdminPage>
  )
}

import { adminPaths } from '#domain/admin-paths.ts'
import { storeCareUpload } from '#server/recalls/care-uploads.ts'
import { uploadBounds } from '#server/screening/read-care-upload.ts'
import { redirect } from 'react-router'
import { adminLoader, adminUpload } from '../../../http/admin-loader.server.ts'
import { readFileForm, type FileBounds } from '../../../http/file-form.server.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import type { Route } from './+types/import'

export const loader = adminLoader('settings.write', async () => ({
  megabytes: uploadBounds.bytes / 2 ** 20,
}))

export const action = adminUpload('settings.write', (ctx, { request }: Route.ActionArgs) => {
  const bounds: FileBounds = {
    bytes: uploadBounds.bytes,
    tooLarge: `The file is larger than ${uploadBounds.bytes / 2 ** 20} MB. Compress it with gzip, or split it.`,
    missing: 'Choose a file.',
  }
  return readFileForm(request, bounds, async (file) =>
    redirect(adminPaths.careImport(await storeCareUpload(ctx, file)), { status: 303 }),
  )
})

/** Uploads a file of recalls or shortages. The next page previews the import. */
export default function CareImportPage({ loaderData, actionData }: Route.ComponentProps) {
  const problems = actionData?.fields['file']?.split('\n') ?? []
  return (
    <AdminPage
      title="Import recalls or shortages"
      back={{ to: adminPaths.screeningLists, label: 'Screening' }}
    >
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          {problems.length > 0 ? (
            <Alert kind="error" title="Nothing was imported. The current lists are unchanged.">
              <ul className="list-disc ps-5 wrap-anywhere">
                {problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            </Alert>
          ) : null}
          {actionData && problems.length === 0 ? (
            <Alert kind="error" title={actionData.message ?? 'We couldn’t upload the file.'} />
          ) : null}
          <PostForm noValidate={false} encType="multipart/form-data" className="card border border-line p-4">
            <Field
              label="File"
              name="file"
              type="file"
              accept=".json,.tsv,.gz,application/json"
              required
              error={problems.length > 0 ? 'Choose a corrected file.' : undefined}
              hint={`Up to ${loaderData.megabytes} MB, plain or gzipped. Unzip openFDA downloads first.`}
            />
            <div className="mt-4">
              <Button kind="primary">Upload</Button>
            </div>
          </PostForm>
        </div>
        <section aria-labelledby="how" className="card border border-line p-4">
          <h2 id="how">How it works</h2>
          <ol className="mt-2 list-decimal space-y-1 ps-5">
            <li>
              Upload openFDA’s JSON of drug enforcement reports or drug shortages, or a TSV file with the
              columns of <code>recalls</code>, <code>recalls-2023-2025-no-lots</code> or{' '}
              <code>shortages</code>.
            </li>
            <li>Review what will change on the next page. Nothing changes until you import the file.</li>
            <li>
              JSON is added to the list: an entry replaces the one with its number, and the others stay. A TSV
              file is the whole list and replaces it.
            </li>
          </ol>
        </section>
      </div>
    </AdminPage>
  )
}

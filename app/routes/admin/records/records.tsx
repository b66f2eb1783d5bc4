import { AppError, httpStatus } from '#domain/errors.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import type { RecordView } from '#domain/records/dispensing-record.ts'
import { getRecord } from '#server/records/get-record.ts'
import { getSettings } from '#server/settings/get-settings.ts'
import { data, Form } from 'react-router'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import type { Route } from './+types/records'
import { DispensingRecord } from './DispensingRecord.tsx'

type Found = { order: string; record: RecordView | null; failure: string | null; years: number }

export const loader = adminLoader('records.read', async (ctx, { request }: Route.LoaderArgs) => {
  const order = new URL(request.url).searchParams.get('order')?.slice(0, 100) ?? ''
  const found: Found = { order, record: null, failure: null, years: (await getSettings(ctx)).retentionYears }
  if (order === '') return data(found)
  try {
    return data<Found>({ ...found, record: await getRecord(ctx, order) })
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'INVALID' && error.code !== 'NOT_FOUND')) throw error
    return data<Found>({ ...found, failure: error.message }, { status: httpStatus(error.code) })
  }
})

/**
 * Looks up the record of shipped prescription medicines after their customer deleted the account.
 * There is no list: a record is found by its order number only.
 */
export default function Records({ loaderData }: Route.ComponentProps) {
  const { order, record, failure, years } = loaderData
  return (
    <AdminPage title="Records">
      <p className="mb-4 max-w-3xl text-muted">
        When a customer deletes their account, we keep the record of each prescription medicine that we
        shipped, for {years === 1 ? '1 year' : `${years} years`} from shipping. Each time you open a record,
        we log it with your name.
      </p>
      <Form method="get" action={adminPaths.records} role="search" className="mb-4 max-w-md">
        <Field
          // The field shows what was looked up, also after going back.
          key={order}
          id="order"
          name="order"
          label="Order number"
          hint="The whole number, or at least its last 8 characters."
          defaultValue={order}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Button kind="primary" className="mt-3">
          Find record
        </Button>
      </Form>
      {failure === null ? null : (
        <Alert kind="info" title="No record found">
          <p>{failure}</p>
        </Alert>
      )}
      {record ? <DispensingRecord record={record} /> : null}
    </AdminPage>
  )
}

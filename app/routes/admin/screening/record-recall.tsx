import { adminPaths } from '#domain/admin-paths.ts'
import { utcDay } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { recordBounds, recordRecallSchema } from '#domain/screening/recorded-recall.ts'
import { needsRecentCode, withRecentCode } from '#server/accounts/recent-code.ts'
import { findRecallPackages, type FoundPackages } from '#server/recalls/find-recall-packages.ts'
import { getRecallFields } from '#server/recalls/get-recall-fields.ts'
import { readNdcPackagesOnce } from '#server/recalls/package-codes.ts'
import { describeRecallEffects } from '#server/recalls/print-recall-result.ts'
import { previewRecordedRecall, recordRecall, type RecordPreview } from '#server/recalls/record-recall.ts'
import { useEffect, useRef } from 'react'
import { data } from 'react-router'
import { z } from 'zod'
import { CodeField } from '../../../components/CodeField.tsx'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText, typedForm, withFormFailure } from '../../../http/form-action.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field, SelectField, TextAreaField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { AdminCard } from '../orders/AdminCard.tsx'
import type { Route } from './+types/record-recall'
import { PackageChoices } from './PackageChoices.tsx'
import { RecallEffects } from './RecallEffects.tsx'
import { UnnamedCodes } from './UnnamedCodes.tsx'

export const loader = adminLoader('settings.write', async (ctx, { request }: Route.LoaderArgs) => {
  const from = new URL(request.url).searchParams.get('from')
  return {
    requestKey: crypto.randomUUID(),
    today: utcDay(ctx.now),
    needsCode: needsRecentCode(ctx),
    /** What an ended recall says, to record it again. */
    recorded: from === null ? null : await getRecallFields(ctx, from),
  }
})

const intentSchema = z.enum(['preview', 'record'])

export const action = adminAction('settings.write', async (ctx, args: Route.ActionArgs, form) => {
  const intent = intentSchema.safeParse(getText(form, 'intent')).data
  if (!intent) throw new AppError('BAD_REQUEST')
  const readNdcPackages = readNdcPackagesOnce(ctx)
  const search = {
    text: (getText(form, 'products') ?? '').slice(0, recordBounds.products),
    carried: (getText(form, 'carried') ?? '').split(' ').filter(Boolean),
    shown: (getText(form, 'shown') ?? '').split(' '),
    chosen: form.getAll('variantIds').map(String),
  }
  const found = await findRecallPackages(ctx, search, readNdcPackages)
  const variantIds = found.choices.filter(({ isChosen }) => isChosen).map(({ id }) => id)
  const result = await formAction(
    form,
    recordRecallSchema,
    async ({ products: _products, carried: _carried, code, previewed, ...fields }) => {
      requireFound(found)
      const input = { ...fields, variantIds }
      const preview = await previewRecordedRecall(ctx, input, readNdcPackages)
      if (intent === 'preview') return { preview, reply: data(typedForm(form)) }
      // A refusal shows the preview again.
      const reply = await withFormFailure(form, async () => {
        if (previewed !== preview.fingerprint)
          throw new AppError(
            'CONFLICT',
            'The packages or lots have changed. Check the preview, then record it.',
          )
        const recorded = await recordRecall(await withRecentCode(ctx, code), input, readNdcPackages)
        return redirectToRecorded(args, recorded)
      })
      return { preview, reply }
    },
  )
  const { preview, reply } = 'reply' in result ? result : { preview: null, reply: result }
  return reply instanceof Response
    ? reply
    : data({ failure: reply.data, found, preview }, reply.init ?? undefined)
})

const redirectToRecorded = (
  args: Route.ActionArgs,
  { id, isNew, result }: Awaited<ReturnType<typeof recordRecall>>,
): Promise<Response> =>
  redirectWithToast(args, adminPaths.recall(id), {
    kind: 'success',
    title: isNew ? 'Recall recorded' : 'This recall was already recorded',
    ...(isNew && { text: result ? describeRecallEffects(result).join(' ') : notAllDone }),
  })

const notAllDone =
  'Some of its effects failed and will be tried again within about ten minutes. Check the stock and the customers on this page. Don’t record it again.'

/**
 * Throws INVALID (products) unless each line has a chosen package, and all found ones are listed.
 */
function requireFound({ missing, unchosen, isCut }: FoundPackages): void {
  const message = isCut
    ? `Enter at most ${recordBounds.lines} lines that find at most ${recordBounds.packages} packages. A code matches fewer packages than a name.`
    : missing.length > 0
      ? `Not in the catalog: ${missing.join(', ')}. Correct these lines or remove them.`
      : unchosen.length > 0
        ? `No package is chosen for: ${unchosen.join(', ')}. Choose the recalled ones below, or remove these lines. Each line needs a package of its own.`
        : null
  if (message !== null) throw new AppError('INVALID', undefined, { fields: { products: message } })
}

type Shown = { failure: FormFailure | null; found: FoundPackages | null; preview: RecordPreview | null }

/** What the page shows after a request. One that reached no action has only a failure. */
const toShown = (reply: FormFailure | Shown | undefined): Shown =>
  reply && 'found' in reply ? reply : { failure: reply ?? null, found: null, preview: null }

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** Records a recall that no list has yet, after a preview of what it does. */
export default function RecordRecall({ loaderData, actionData }: Route.ComponentProps) {
  const { needsCode } = loaderData
  const { failure, found, preview } = toShown(actionData)
  const values = failure?.values ?? loaderData.recorded?.values ?? {}
  const fields = failure?.fields ?? {}
  return (
    <AdminPage title="Record a recall" back={{ to: adminPaths.recalls, label: 'Recalls' }}>
      <p className="mb-4 max-w-3xl text-muted">
        For a recall that you learned about by phone or fax, before it’s in any list. It has the same effects
        as an imported recall, and no import removes it. End it when its official entry is in the list.
      </p>
      <PostForm className="grid max-w-3xl gap-4">
        {failure && (failure.message || Object.keys(failure.fields).length > 0) ? (
          <ErrorSummary title={failure.message ?? 'Nothing has changed yet'} fields={failure.fields} />
        ) : null}
        <RecallFields loaderData={loaderData} values={values} fields={fields} />
        <AdminCard title="Packages">
          <PackageChoices
            found={found ?? loaderData.recorded?.packages ?? null}
            typed={values['products']}
            error={fields['products']}
          />
        </AdminCard>
        <AdminCard title="Lots">
          <LotFields values={values} fields={fields} />
        </AdminCard>
        <Button name="intent" value="preview" className="justify-self-start">
          Preview
        </Button>
        {preview ? (
          <Preview
            preview={preview}
            // A confirmation of other lots does not apply to these.
            key={preview.unclearLots.join(' ')}
            printedLots={values['printedLots']}
            error={fields['printedLots']}
          >
            {needsCode ? <CodeField id="code" error={fields['code']} /> : null}
          </Preview>
        ) : null}
      </PostForm>
    </AdminPage>
  )
}

type FieldsProps = Pick<FormFailure, 'values' | 'fields'>
type RecallFieldsProps = FieldsProps & Pick<Route.ComponentProps, 'loaderData'>

function RecallFields({ loaderData, values, fields }: RecallFieldsProps) {
  const field = (name: string) => ({ id: name, name, defaultValue: values[name], error: fields[name] })
  return (
    <AdminCard title="Recall">
      {/* A form that is sent again keeps its key: the recall may have been recorded. */}
      <input type="hidden" name="requestKey" value={values['requestKey'] ?? loaderData.requestKey} />
      <div className="grid gap-3">
        <Field
          {...field('firm')}
          label="Company"
          hint="The company that is recalling the product. Shown to customers."
          maxLength={recordBounds.firm}
          autoComplete="off"
          required
        />
        <TextAreaField
          {...field('reference')}
          label="Source and reference"
          hint="Who called or faxed, their phone number, and the recall’s number. Visible to staff only."
          rows={2}
          maxLength={recordBounds.reference}
          required
        />
        <div className="form-grid">
          <Field
            {...field('initiated')}
            label="Day of the recall"
            type="date"
            defaultValue={values['initiated'] ?? loaderData.today}
            max={loaderData.today}
            required
          />
          <SelectField {...field('recallClass')} label="Class">
            <option value="">Not known</option>
            <option value="I">Class I</option>
            <option value="II">Class II</option>
            <option value="III">Class III</option>
          </SelectField>
        </div>
        <TextAreaField
          {...field('reason')}
          label="Reason"
          hint="Shown to customers."
          rows={2}
          maxLength={recordBounds.reason}
          required
        />
      </div>
    </AdminCard>
  )
}

const scopes = [
  ['all', 'All lots'],
  ['listed', 'Only these lots'],
] as const

function LotFields({ values, fields }: FieldsProps) {
  const error = fields['scope']
  return (
    <div className="grid gap-3">
      <fieldset aria-describedby={error ? 'scope-error' : undefined}>
        <legend className="mb-1 font-medium">Recalled lots</legend>
        {scopes.map(([scope, label]) => (
          <label key={scope} className="flex min-h-9 items-center gap-2">
            <input
              {...(scope === 'all' && { id: 'scope' })}
              type="radio"
              name="scope"
              value={scope}
              className="size-5 flex-none accent-primary"
              defaultChecked={values['scope'] === scope}
              required
            />
            {label}
          </label>
        ))}
        {error ? (
          <p id="scope-error" className="mt-1 text-sm font-medium text-error">
            {error}
          </p>
        ) : null}
      </fieldset>
      <TextAreaField
        id="lots"
        name="lots"
        label="Lot numbers"
        hint="One per line, or separated by commas, as printed. No ranges. Units without a lot stay on sale, and staff check each package before it ships."
        rows={3}
        maxLength={recordBounds.lots}
        spellCheck={false}
        defaultValue={values['lots']}
        error={fields['lots']}
      />
    </div>
  )
}

type PreviewProps = {
  preview: RecordPreview
  /** What was confirmed when the form was sent. */
  printedLots: string | undefined
  error: string | undefined
  children: React.ReactNode
}

/** What the recall will do, and the button that records it. It takes the focus when it appears. */
function Preview({ preview, printedLots, error, children }: PreviewProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [preview])
  const { effects, unknownLots, unclearLots, fingerprint } = preview
  const unclear = unclearLots.join(' ')
  return (
    <div ref={box} tabIndex={-1} className="grid gap-4">
      <RecallEffects title="What this recall will do" effects={effects} />
      <UnnamedCodes codes={preview.unnamedCodes} />
      {unknownLots.length > 0 ? (
        <Alert kind="warning" title="Lots that we never received">
          <p className="wrap-anywhere">
            None of these packages has lot {unknownLots.join(', ')}. Check how you typed them.
          </p>
          {unclear === '' ? null : (
            <PrintedLots lots={unclear} isChecked={printedLots === unclear} error={error} />
          )}
        </Alert>
      ) : null}
      <input type="hidden" name="previewed" value={fingerprint} />
      {children}
      <Button kind="danger" name="intent" value="record" className="justify-self-start">
        Record the recall
      </Button>
    </div>
  )
}

type PrintedLotsProps = { lots: string; isChecked: boolean; error: string | undefined }

/** Confirms that these are lots and not ranges: a range would match no lot. */
const PrintedLots = ({ lots, isChecked, error }: PrintedLotsProps) => (
  <label className="flex min-h-9 items-start gap-2 py-1">
    <input
      id="printedLots"
      type="checkbox"
      name="printedLots"
      value={lots}
      className="grid-check mt-0.5"
      defaultChecked={isChecked}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? 'printedLots-error' : undefined}
    />
    <span className="min-w-0 wrap-anywhere">
      Each of these is a single lot number, exactly as printed on the package, not a range:{' '}
      {lots.replaceAll(' ', ', ')}
      {error ? (
        <span id="printedLots-error" className="block font-medium text-error">
          {error}
        </span>
      ) : null}
    </span>
  </label>
)

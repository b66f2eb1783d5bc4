import { utcDay } from '#domain/days.ts'
import { newId } from '#domain/ids.ts'
import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import type { Dependant } from '#domain/patients/patient-record.ts'
import { withQuery } from '#domain/build-path.ts'
import { paths } from '#domain/paths.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { getDependant, removeDependant, saveDependant } from '#server/patients/dependants.ts'
import { useState } from 'react'
import { z } from 'zod'
import { SignInAgain } from '../../../components/SignInAgain.tsx'
import { formAction, getText, readForm } from '../../../http/form-action.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { pageLoader } from '../../../http/page-loader.server.ts'
import {
  clearBlank,
  convertWeight,
  dropUnchanged,
  fingerprintPerson,
} from '../../../http/profile-form.server.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { requestContext } from '../../../http/request-context.server.ts'
import { requireShownUser } from '../../../http/require-shown-user.server.ts'
import { requireSignedIn } from '../../../http/require-signed-in.server.ts'
import { hasSessionExpired } from '../../../http/has-session-expired.server.ts'
import { BackLink } from '../../../components/BackLink.tsx'
import { pageMeta } from '../../../render/page-meta.ts'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field } from '../../../ui/Field.tsx'
import { PostForm, useIsPosting } from '../../../ui/PostForm.tsx'
import { useQueryParams } from '../../../ui/use-query-params.ts'
import { useSaveCount, useSavedFocus } from '../use-saved-form.ts'
import type { Route } from './+types/person'
import { AccountPage } from '../AccountPage.tsx'
import { BodyFields, HealthTexts, type FieldControl } from '../PersonFields.tsx'
import type { ListChoice } from './list-labels.ts'
import { listsAction, readListIntent } from './lists-action.server.ts'
import { PatientLists } from './PatientLists.tsx'

/** The pages that a customer leaves to add someone, and the link back. */
const origins = {
  checkout: [paths.checkout, 'Continue to checkout'],
  upload: [paths.uploadPrescription, 'Continue to the upload'],
  'upload-for-checkout': [paths.uploadPrescriptionForCheckout, 'Continue to the upload'],
} as const

type Origin = keyof typeof origins

/** Where the customer comes from; undefined for My Profile. */
const readOrigin = (params: URLSearchParams): Origin | undefined => {
  const from = params.get('from')
  return from !== null && Object.hasOwn(origins, from) ? (from as Origin) : undefined
}

/** The path of someone who is not added yet. */
const isNew = (patientId: string): boolean => patientId === 'new'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { patientId } = args.params
  const { ctx } = args.context.get(requestContext)
  const isExpired = args.context.get(hasSessionExpired)
  const from = readOrigin(args.url.searchParams)
  if (!isExpired) requireSignedIn(args, withQuery(paths.person(patientId), { from }))
  const found = isNew(patientId) || isExpired ? null : await getDependant(ctx, patientId)
  return {
    patientId,
    userId: ctx.user?.id ?? null,
    person: found?.patient.record.dependant ?? null,
    loaded: fingerprintPerson(found?.patient.record.dependant ?? {}, ctx.now),
    name: found?.patient.name ?? null,
    view: found?.view ?? null,
    /** Checkout with this person selected. */
    checkoutPath: from === 'checkout' ? serverPaths.checkoutFor(patientId) : undefined,
    formId: newId(ctx.now.getTime()),
    today: utcDay(ctx.now),
  }
})

export const action = async (args: Route.ActionArgs) => {
  const { context, params, request } = args
  const { patientId } = params
  const from = readOrigin(new URL(request.url).searchParams)
  const { ctx } = context.get(requestContext)
  const form = await readForm(request)
  const intent = readListIntent(form)
  context.set(hasSessionExpired, ctx.user === null && !form.has('intent'))
  if (intent && !isNew(patientId)) {
    form.set('patientId', patientId)
    return listsAction({ context }, { form, intent, path: withQuery(paths.person(patientId), { from }) })
  }
  if (getText(form, 'intent') === 'remove-person') {
    return formAction(
      form,
      z.object({}),
      async () => {
        await removeDependant(ctx, patientId)
        return redirectWithToast({ context }, `${paths.profile}#people`, {
          kind: 'success',
          title: 'Removed',
        })
      },
      ctx,
    )
  }
  convertWeight(form)
  form.delete('patientId')
  const formId = getText(form, 'formId') ?? undefined
  const schema = dependantSchema(ctx.now)
  return formAction(
    form,
    schema,
    async (input) => {
      requireShownUser(ctx, form)
      const entered = clearBlank(input, { schema, form })
      const id = isNew(patientId)
        ? await saveDependant(ctx, entered, formId)
        : await saveDependant(ctx, { ...dropUnchanged(entered, form), patientId })
      return redirectWithToast({ context }, withQuery(paths.person(id), { from }), {
        kind: 'success',
        title: 'Saved',
      })
    },
    ctx,
  )
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'A Person You Care For',
    description: 'What the pharmacy needs to know about someone you order for.',
    noindex: true,
  })

export default function Person({ loaderData, actionData }: Route.ComponentProps) {
  const { patientId, name, view } = loaderData
  const from = readOrigin(useQueryParams())
  const [back, backLabel] = from ? origins[from] : [`${paths.profile}#people`, null]
  const reply: FormFailure | ListChoice | null = actionData ?? null
  const failure = reply && 'values' in reply && reply.intent === '' ? reply : null
  const saves = useSaveCount(failure)
  const removal = reply && 'values' in reply && reply.intent === 'remove-person' ? reply : null
  return (
    <AccountPage
      title={name ?? 'Add a Person'}
      intro="Someone you order for. What you enter is encrypted like your own record."
    >
      <BackLink to={`${paths.profile}#people`} label="My Profile" />
      {backLabel && !isNew(patientId) ? (
        <LinkButton kind="primary" to={loaderData.checkoutPath ?? back} className="mb-6">
          {backLabel}
        </LinkButton>
      ) : null}
      <div className="grid max-w-3xl gap-6">
        <PersonForm
          key={`${patientId} ${saves}`}
          {...loaderData}
          isSaved={saves > 0}
          failure={failure}
          back={back}
        />
        {view ? <PatientLists patientId={patientId} view={view} reply={reply} /> : null}
        {view ? <RemovePerson message={removal?.message ?? null} /> : null}
      </div>
    </AccountPage>
  )
}

type PersonFormProps = {
  patientId: string
  /** Null after the session has ended. */
  userId: string | null
  person: Dependant | null
  /** From `fingerprintPerson`. */
  loaded: string
  /** Whether this page has saved it: the form starts again and focuses its button. */
  isSaved: boolean
  failure: FormFailure | null
  /** Where Cancel goes. */
  back: string
  formId: string
  today: string
}

function PersonForm({
  patientId,
  userId,
  person,
  loaded,
  isSaved,
  failure,
  back,
  formId,
  today,
}: PersonFormProps) {
  const isSaving = useIsPosting()
  // Matches the fields, which keep their first values when the loader's data changes.
  const [shown] = useState(loaded)
  const button = useSavedFocus(isSaved)
  const control: FieldControl = (name, stored) => ({
    id: name,
    name,
    defaultValue: failure?.values[name] ?? stored ?? '',
    error: failure?.fields[name],
  })
  return (
    <PostForm preventScrollReset className="grid gap-6">
      {failure ? (
        <ErrorSummary title={failure.message ?? 'This person hasn’t been saved yet'} fields={failure.fields}>
          {failure.isSignedOut ? <SignInAgain /> : null}
        </ErrorSummary>
      ) : null}
      <input type="hidden" name="formId" value={failure?.values['formId'] ?? formId} />
      <input type="hidden" name="userId" value={failure?.values['userId'] ?? userId ?? ''} />
      <input type="hidden" name="loaded" value={failure?.values['loaded'] ?? shown} />
      <section aria-label="Details" className="card grid gap-5 p-5 sm:grid-cols-2 sm:p-7">
        <Field label="First name" required {...control('firstName', person?.firstName)} />
        <Field label="Last name" {...control('lastName', person?.lastName)} />
        <BodyFields control={control} person={person} today={today} isSelf={false} />
        <HealthTexts control={control} person={person} />
        <div className="flex flex-wrap gap-3 sm:col-span-2">
          {isNew(patientId) ? <LinkButton to={back}>Cancel</LinkButton> : null}
          <Button kind="primary" ref={button} aria-disabled={isSaving || undefined}>
            Save
          </Button>
        </div>
      </section>
    </PostForm>
  )
}

const RemovePerson = ({ message }: { message: string | null }) => (
  <section aria-labelledby="remove-person" className="card p-5 sm:p-7">
    <h2 id="remove-person" className="text-lg">
      Remove This Person
    </h2>
    <p className="mt-1 text-muted">
      Deletes what you entered. If a prescription is for them, their name and date of birth stay with it.
    </p>
    {message ? (
      <p role="alert" className="mt-2 font-medium text-error">
        {message}
      </p>
    ) : null}
    <PostForm preventScrollReset className="mt-4">
      <input type="hidden" name="intent" value="remove-person" />
      <Button>Remove</Button>
    </PostForm>
  </section>
)

import { emptyProfile } from '#domain/accounts/accounts.ts'
import { isBillingSameAsShipping } from '#domain/accounts/profile-fields.ts'
import { utcDay } from '#domain/days.ts'
import { paths } from '#domain/paths.ts'
import { getOwnRecord } from '#server/patients/get-own-record.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { countPrescriptions } from '#server/prescriptions/count-prescriptions.ts'
import { useEffect, type ReactNode } from 'react'
import { redirect } from 'react-router'
import { IdDocumentCard } from './IdDocumentCard.tsx'
import type { FormFailure } from '../../http/form-failure.ts'
import { formAction, readForm } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { fingerprintPerson, readProfileForm } from '../../http/profile-form.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireShownUser } from '../../http/require-shown-user.server.ts'
import { hasSessionExpired } from '../../http/has-session-expired.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { ClipboardList, Lock, ShieldCheck, Users } from '../../ui/icons.tsx'
import { Link } from '../../render/Link.tsx'
import { useQueryParams } from '../../ui/use-query-params.ts'
import { showToast } from '../../ui/toasts.ts'
import type { Route } from './+types/profile'
import { AccountPage } from './AccountPage.tsx'
import type { ListChoice } from './patients/list-labels.ts'
import { listsAction, readListIntent } from './patients/lists-action.server.ts'
import { PatientLists } from './patients/PatientLists.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { useSaveCount } from './use-saved-form.ts'

export const loader = pageLoader(async ({ context }: Route.LoaderArgs) => {
  const { ctx } = context.get(requestContext)
  if (!ctx.user && !context.get(hasSessionExpired)) throw redirect('/')
  const emptyPerson = { ...emptyProfile, id: '', firstName: null, lastName: null, hasIdDocument: false }
  const [{ person, view, people }, prescriptions] = ctx.user
    ? await Promise.all([getOwnRecord(ctx), countPrescriptions(ctx)])
    : [{ person: emptyPerson, view: null, people: [] }, 0]
  return {
    person,
    view,
    people,
    prescriptions,
    loaded: fingerprintPerson(person, ctx.now),
    sameBilling: isBillingSameAsShipping(person),
    today: utcDay(ctx.now),
  }
})

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx } = context.get(requestContext)
  const form = await readForm(request)
  const intent = readListIntent(form)
  context.set(hasSessionExpired, ctx.user === null && intent === null)
  if (intent) return listsAction({ context }, { form, intent, path: paths.profile })
  const { fields: counted, schema, toChanges } = readProfileForm(form, ctx.now)
  return formAction(
    counted,
    schema,
    async (input) => {
      requireShownUser(ctx, form)
      await updateProfile(ctx, toChanges(input))
      return redirectWithToast({ context }, paths.profile, {
        kind: 'success',
        title: 'Profile Updated',
        text: 'Your profile has been updated successfully',
      })
    },
    ctx,
  )
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'My Profile',
    description: 'Your personal details, addresses, prescriptions and ID document.',
    noindex: true,
  })

export default function Profile({ loaderData, actionData }: Route.ComponentProps) {
  const { person, loaded, view, people, prescriptions, sameBilling, today } = loaderData
  const reply: FormFailure | ListChoice | null = actionData ?? null
  const failure = reply && 'values' in reply && !isOfLists(reply) ? reply : null
  const saves = useSaveCount(failure)
  // From an upload for checkout, which needs an ID document first.
  const isForCheckout = useQueryParams().get('from') === 'checkout'
  useEffect(() => {
    if (failure) showToast({ kind: 'error', title: 'Update Failed', text: 'Failed to update profile' })
  }, [failure])
  return (
    <AccountPage
      title="My Profile"
      intro="What the pharmacy needs to know about you, and where your orders go. All fields are optional."
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid gap-6">
          {/* Another account's page starts with its own values, not with what was typed here. */}
          <ProfileForm
            key={`${person.id} ${saves}`}
            person={person}
            loaded={loaded}
            isSaved={saves > 0}
            isBillingSame={sameBilling}
            today={today}
            failure={failure}
          />
          {view ? <PatientLists patientId={person.id} view={view} reply={reply} /> : null}
        </div>
        <div className="grid gap-6 md:max-lg:grid-cols-2 md:max-lg:[&>:last-child]:col-span-2">
          <Card id="prescription-management" title="Prescription Management" icon={<ClipboardList />}>
            <p>{countSentence(prescriptions)}</p>
            <div className="mt-4 grid gap-3">
              <LinkButton to={isForCheckout ? paths.uploadPrescriptionForCheckout : paths.uploadPrescription}>
                Upload Prescription
              </LinkButton>
              <LinkButton to={paths.prescriptions}>View Prescriptions</LinkButton>
            </div>
          </Card>
          <Card id="id-document-verification" title="ID Document Verification" icon={<ShieldCheck />}>
            <IdDocumentCard
              userId={person.id}
              hasIdDocument={person.hasIdDocument}
              isForCheckout={isForCheckout}
            />
          </Card>
          <Card id="people" title="People You Care For" icon={<Users />}>
            {people.length === 0 ? (
              <p>Keep records for your child or anyone else you order for.</p>
            ) : (
              <ul className="divide-y divide-line border-y border-line">
                {people.map(({ id, name }) => (
                  <li key={id}>
                    <Link
                      to={paths.person(id)}
                      className="text-link flex min-h-11 items-center wrap-anywhere"
                    >
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            <LinkButton to={paths.person('new')} className="mt-4">
              Add a Person
            </LinkButton>
          </Card>
          <Card id="your-data" title="Your Data" icon={<Lock />}>
            <p>We encrypt your details with your own key and log every time someone views them.</p>
            <p className="mt-2">
              <Link to={paths.account.activity} className="text-link inline-flex min-h-11 items-center">
                Who viewed your data
              </Link>
            </p>
          </Card>
        </div>
      </div>
    </AccountPage>
  )
}

/** Whether a failure is one of the lists' forms, which name their patient. */
const isOfLists = ({ values }: FormFailure): boolean => 'patientId' in values

const countSentence = (count: number): string => {
  if (count === 0) return 'No prescriptions uploaded yet'
  return count === 1 ? '1 prescription uploaded' : `${count} prescriptions uploaded`
}

type CardProps = { id: string; title: string; icon: ReactNode; children: ReactNode }

const Card = ({ id, title, icon, children }: CardProps) => (
  <section aria-labelledby={id} className="card p-5 sm:p-7 lg:p-5">
    {/* A link to a section focuses its heading. */}
    <h2 id={id} tabIndex={-1} className="mb-3 flex items-center gap-3 text-lg">
      <span className="tile size-9 flex-none rounded-full text-primary">{icon}</span>
      {title}
    </h2>
    {children}
  </section>
)

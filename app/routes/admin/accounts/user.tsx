import { factorResetSchema } from '#domain/accounts/access-change-fields.ts'
import { licenseSchema, removeLicenseSchema } from '#domain/accounts/pharmacist-license.ts'
import { recordReasonSchema } from '#domain/accounts/account-security.ts'
import { can, labelRoles } from '#domain/accounts/permissions.ts'
import type { AccessChange } from '#domain/accounts/account-access.ts'
import { nameOrEmail } from '#domain/accounts/accounts.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { getUserHeader } from '#server/accounts/get-user.ts'
import { recordLicense } from '#server/accounts/pharmacist-license.ts'
import { removeLicense } from '#server/second-checks/remove-license.ts'
import { withRecentCode } from '#server/accounts/recent-code.ts'
import { resetSecondFactor } from '#server/accounts/reset-second-factor.ts'
import { openPatientRecord } from '#server/accounts/record-access.ts'
import { getSecondChecks } from '#server/second-checks/count-second-checks.ts'
import { toAppError } from '#server/errors.ts'
import { useState } from 'react'
import { data, redirect, useLocation, useNavigate, useRevalidator } from 'react-router'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { TextAreaField } from '../../../ui/Field.tsx'
import { useCan } from '../frame/use-can.ts'
import { Pencil } from '../../../ui/admin-icons.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { CircleX, ShieldCheck, Trash } from '../../../ui/icons.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import type { Route } from './+types/user'
import { AdminPage } from '../frame/AdminPage.tsx'
import { AccessDialog } from './AccessDialog.tsx'
import { DeleteUser } from './DeleteUser.tsx'
import { EditProfile } from './EditProfile.tsx'
import { LicenseCard } from './LicenseCard.tsx'
import { ResetFactorCard } from './ResetFactorCard.tsx'
import { showAccessResult, useAccessChange } from './use-access-change.ts'
import { accessLabels, factorReset, parseTab } from './user-labels.ts'
import { loadTab } from './load-tab.server.ts'
import type { TabDataOf } from './user-tabs/tab-data.ts'
import { UserTabPanel, UserTabs } from './UserTabs.tsx'

export const loader = adminLoader(
  ['customers.read', 'health.read'],
  async (ctx, { params: { id }, request }: Route.LoaderArgs) => {
    const { searchParams } = new URL(request.url)
    try {
      const { createdAt, ...user } = await getUserHeader(ctx, id)
      return {
        user: { ...user, createdAt: createdAt.toISOString() },
        isSelf: ctx.user?.id === id,
        secondChecks: can(ctx.user, 'roles.manage') ? await getSecondChecks(ctx) : null,
        tabData: await loadTab(ctx, {
          id,
          tab: parseTab(searchParams.get('tab')),
          after: searchParams.get('after'),
        }),
      }
    } catch (error) {
      // Rendered, not thrown: the page keeps its frame and its back link.
      const { code } = toAppError(error)
      if (code === 'NOT_FOUND') return data('not found' as const, { status: 404 })
      if (code === 'REASON_REQUIRED') return data('reason required' as const, { status: 403 })
      throw error
    }
  },
)

/**
 * The reason for opening a record without an open case, a change of the pharmacist license, or a
 * reset of two-step sign-in.
 */
export const action = adminAction('health.read', async (ctx, args: Route.ActionArgs, form) => {
  const { id } = args.params
  const intent = getText(form, 'intent')
  const saved = (title: string) => redirectWithToast(args, adminPaths.user(id), { kind: 'success', title })
  if (intent === 'record-license')
    return formAction(form, licenseSchema, async ({ code, numberBefore, jurisdictionBefore, ...license }) => {
      const before = numberBefore === '' ? null : { number: numberBefore, jurisdiction: jurisdictionBefore }
      await recordLicense(await withRecentCode(ctx, code), { userId: id, before, ...license })
      return saved('License recorded')
    })
  if (intent === 'remove-license')
    return formAction(form, removeLicenseSchema, async ({ code, isConfirmed }) => {
      await removeLicense(await withRecentCode(ctx, code), { userId: id, isConfirmed })
      return saved('License removed')
    })
  if (intent === factorReset.intent)
    return formAction(form, factorResetSchema, async ({ code, reason }) => {
      await resetSecondFactor(await withRecentCode(ctx, code), { userId: id, reason })
      return saved(factorReset.done)
    })
  return formAction(form, recordReasonSchema, async ({ reason }) => {
    await openPatientRecord(ctx, { patientId: id, reason })
    return redirect(adminPaths.user(id), 303)
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** One user, in tabs (specification, "Admin area"). */
export default function UserPage({ loaderData, actionData, params: { id } }: Route.ComponentProps) {
  if (loaderData === 'not found') return <UserNotFound />
  if (loaderData === 'reason required') return <ReasonForm id={id} failure={actionData ?? null} />
  return <UserDetails {...loaderData} failure={actionData ?? null} />
}

type UserDetailsProps = Exclude<Route.ComponentProps['loaderData'], string> & {
  failure: FormFailure | null
}

function UserDetails({ user, isSelf, secondChecks, tabData, failure }: UserDetailsProps) {
  const [openDialog, setOpenDialog] = useState<'edit' | 'delete' | null>(null)
  const { key } = useLocation()
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const access = useAccessChange(([result], change) => {
    if (result) showAccessResult(result, change)
    void revalidate()
  })
  const accessButton = (change: AccessChange) => (
    <Button
      type="button"
      kind="quiet"
      onClick={() => access.ask({ change, target: { ids: [user.id] }, label: nameOrEmail(user) })}
    >
      {accessLabels[change]}
    </Button>
  )
  const isManager = useCan()('customers.manage')
  const back = useBackToUsers()
  return (
    <AdminPage
      title={nameOrEmail(user)}
      back={back}
      actions={
        isManager ? (
          <>
            {isSelf ? null : (
              <>
                {accessButton('end-sessions')}
                {accessButton(user.isSuspended ? 'restore' : 'suspend')}
                <Button type="button" kind="quiet" onClick={() => setOpenDialog('delete')}>
                  <Trash /> Delete
                </Button>
              </>
            )}
            <Button type="button" kind="primary" onClick={() => setOpenDialog('edit')}>
              <Pencil /> Edit profile
            </Button>
          </>
        ) : null
      }
    >
      <p className="-mt-2 mb-4 flex flex-wrap items-center gap-2 text-muted">
        {user.email}
        {user.roles.length > 0 ? (
          <Badge tone="primary" icon={<ShieldCheck />}>
            {labelRoles(user.roles)}
          </Badge>
        ) : null}
        {user.isSuspended ? (
          <Badge tone="error" icon={<CircleX />}>
            Suspended
          </Badge>
        ) : null}
        {isSelf ? <span>This is your account.</span> : null}
      </p>
      <UserTabs id={user.id} current={tabData.tab} />
      <UserTabPanel user={user} tabData={tabData} />
      {tabData.tab === 'profile' && tabData.license ? (
        <RoleManagerForms
          key={key}
          user={user}
          isSelf={isSelf}
          license={tabData.license}
          hasSecondFactor={tabData.hasSecondFactor}
          secondChecks={secondChecks}
          failure={failure}
        />
      ) : null}
      {isManager ? (
        <>
          <EditProfile
            id={user.id}
            open={openDialog === 'edit'}
            onClose={() => setOpenDialog(null)}
            onSaved={revalidate}
          />
          <AccessDialog {...access.dialog} />
          <DeleteUser
            user={openDialog === 'delete' ? user : null}
            onDeleted={() => void navigate(adminPaths.settings)}
            onClose={() => setOpenDialog(null)}
          />
        </>
      ) : null}
    </AdminPage>
  )
}

type ProfileData = TabDataOf<'profile'>
type RoleManagerFormsProps = Pick<UserDetailsProps, 'user' | 'isSelf' | 'secondChecks' | 'failure'> & {
  license: NonNullable<ProfileData['license']>
  hasSecondFactor: ProfileData['hasSecondFactor']
}

/** What staff who may change roles do to another account, without scripts as well. */
function RoleManagerForms({ user, license, hasSecondFactor, failure, ...rest }: RoleManagerFormsProps) {
  const resetFailure = failure?.intent === factorReset.intent ? failure : null
  return (
    <>
      {user.roles.includes('pharmacist') || license.current ? (
        <LicenseCard userId={user.id} {...license} {...rest} failure={resetFailure ? null : failure} />
      ) : null}
      {/* Without a second factor, another admin may have been first: the failure says so. */}
      {(hasSecondFactor && !rest.isSelf) || resetFailure ? (
        <ResetFactorCard userId={user.id} needsCode={license.needsCode} failure={resetFailure} />
      ) : null}
    </>
  )
}

/** Asks why a record without an open case is opened. */
const ReasonForm = ({ id, failure }: { id: string; failure: FormFailure | null }) => (
  <AdminPage title="Open this patient’s record" back={useBackToUsers()}>
    <div className="card max-w-xl p-5">
      <p className="mb-4">
        This patient has no open case with the pharmacy. To open their record for an hour, give a reason. The
        patient can read it in their activity.
      </p>
      <PostForm action={adminPaths.user(id)} className="grid gap-3">
        <TextAreaField
          label="Reason"
          name="reason"
          rows={3}
          maxLength={500}
          defaultValue={failure?.values['reason']}
          error={failure?.fields['reason'] ?? failure?.message ?? undefined}
        />
        <div>
          <Button kind="primary">Open record</Button>
        </div>
      </PostForm>
    </div>
  </AdminPage>
)

/** Null for staff who may not see the list of users. */
function useBackToUsers() {
  const can = useCan()
  return can('customers.read') ? { to: adminPaths.settings, label: 'Settings' } : null
}

const UserNotFound = () => (
  <AdminPage title="User not found" back={useBackToUsers()}>
    <p className="mb-4 text-muted">This account doesn’t exist or was deleted.</p>
    <LinkButton to={adminPaths.settings}>All users</LinkButton>
  </AdminPage>
)

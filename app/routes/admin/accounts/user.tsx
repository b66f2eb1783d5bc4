import { nameOrEmail } from '#domain/accounts/accounts.ts'
import { paths } from '#domain/paths.ts'
import { getUserHeader } from '#server/accounts/get-user.ts'
import { toAppError } from '#server/errors.ts'
import { useState } from 'react'
import { data, useNavigate, useRevalidator } from 'react-router'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { Pencil } from '../../../ui/admin-icons.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { ChevronLeft, ShieldCheck, Trash } from '../../../ui/icons.tsx'
import { Link } from '../../../render/Link.tsx'
import type { Route } from './+types/user'
import { AdminPage } from '../frame/AdminPage.tsx'
import { DeleteUser } from './DeleteUser.tsx'
import { EditProfile } from './EditProfile.tsx'
import { parseTab } from './user-labels.ts'
import { loadTab } from './load-tab.server.ts'
import { UserTabPanel, UserTabs } from './UserTabs.tsx'

export const loader = adminLoader(async (ctx, { params: { id }, request }: Route.LoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const found = await getUserHeader(ctx, id).catch((error: unknown) => {
    if (toAppError(error).code === 'NOT_FOUND') return null
    throw error
  })
  // Rendered, not thrown: the page keeps its frame and its back link.
  if (!found) return data(null, { status: 404 })
  const { createdAt, ...user } = found
  return {
    user: { ...user, createdAt: createdAt.toISOString() },
    isSelf: ctx.user?.id === id,
    tabData: await loadTab(ctx, {
      id,
      tab: parseTab(searchParams.get('tab')),
      after: searchParams.get('after'),
    }),
  }
})

/** One user, in tabs (specification, "Admin area"). */
export default function UserPage({ loaderData }: Route.ComponentProps) {
  return loaderData ? <UserDetails {...loaderData} /> : <UserNotFound />
}

type UserDetailsProps = NonNullable<Route.ComponentProps['loaderData']>

function UserDetails({ user, isSelf, tabData }: UserDetailsProps) {
  const [openDialog, setOpenDialog] = useState<'edit' | 'delete' | null>(null)
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  return (
    <>
      <BackToUsers />
      <AdminPage
        title={nameOrEmail(user)}
        actions={
          <>
            {isSelf ? null : (
              <Button type="button" kind="quiet" onClick={() => setOpenDialog('delete')}>
                <Trash /> Delete
              </Button>
            )}
            <Button type="button" kind="primary" onClick={() => setOpenDialog('edit')}>
              <Pencil /> Edit profile
            </Button>
          </>
        }
      >
        <p className="-mt-2 mb-4 flex flex-wrap items-center gap-2 text-muted">
          {user.email}
          {user.isAdmin ? (
            <Badge tone="primary" icon={<ShieldCheck />}>
              Admin
            </Badge>
          ) : null}
          {isSelf ? <span>This is your account.</span> : null}
        </p>
        <UserTabs id={user.id} current={tabData.tab} />
        <UserTabPanel user={user} tabData={tabData} />
        <EditProfile
          id={user.id}
          open={openDialog === 'edit'}
          onClose={() => setOpenDialog(null)}
          onSaved={revalidate}
        />
        <DeleteUser
          user={openDialog === 'delete' ? user : null}
          onDeleted={() => void navigate(paths.admin.settings)}
          onClose={() => setOpenDialog(null)}
        />
      </AdminPage>
    </>
  )
}

const BackToUsers = () => (
  <p className="mb-2 print:hidden">
    <Link to={paths.admin.settings} className="text-link inline-flex min-h-8 items-center gap-1">
      <ChevronLeft className="size-4" /> Back to settings
    </Link>
  </p>
)

const UserNotFound = () => (
  <>
    <BackToUsers />
    <AdminPage title="User not found">
      <p className="mb-4 text-muted">This account doesn’t exist or was deleted.</p>
      <LinkButton to={paths.admin.settings}>All users</LinkButton>
    </AdminPage>
  </>
)

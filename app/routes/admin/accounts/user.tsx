import { readUserHead } from '#server/accounts/get-user.ts'
import { toAppError } from '#server/errors.ts'
import { useState } from 'react'
import { data, useNavigate, useRevalidator } from 'react-router'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { Pencil } from '../../../ui/admin-icons.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { ChevronLeft, ShieldCheck, Trash } from '../../../ui/icons.tsx'
import { Link } from '../../../ui/Link.tsx'
import type { Route } from './+types/user'
import { AdminPage } from '../frame/AdminPage.tsx'
import { DeleteUser } from './DeleteUser.tsx'
import { EditProfile } from './EditProfile.tsx'
import { personName, tabNamed } from './user-labels.ts'
import { readTab } from './load-tab.server.ts'
import { UserPart, UserTabs } from './UserTabs.tsx'

export const loader = adminLoader(async (ctx, { params: { id }, request }: Route.LoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const found = await readUserHead(ctx, id).catch((error: unknown) => {
    if (toAppError(error).code === 'NOT_FOUND') return null
    throw error
  })
  // Said in the page, not thrown: the page's way back and the frame stay.
  if (!found) return data(null, { status: 404 })
  const { createdAt, ...user } = found
  return {
    user: { ...user, createdAt: createdAt.toISOString() },
    isSelf: ctx.user?.id === id,
    shown: await readTab(ctx, {
      id,
      tab: tabNamed(searchParams.get('tab')),
      after: searchParams.get('after'),
    }),
  }
})

/** A user, part by part (specification, "Admin area"). */
export default function UserPage({ loaderData }: Route.ComponentProps) {
  return loaderData ? <Found {...loaderData} /> : <Missing />
}

type FoundProps = NonNullable<Route.ComponentProps['loaderData']>

function Found({ user, isSelf, shown }: FoundProps) {
  const [asked, ask] = useState<'edit' | 'delete' | null>(null)
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  return (
    <>
      <BackToUsers />
      <AdminPage
        title={personName(user)}
        actions={
          <>
            {isSelf ? null : (
              <Button type="button" kind="quiet" onClick={() => ask('delete')}>
                <Trash /> Delete
              </Button>
            )}
            <Button type="button" kind="primary" onClick={() => ask('edit')}>
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
          {isSelf ? <span>This is your own account.</span> : null}
        </p>
        <UserTabs id={user.id} current={shown.tab} />
        <UserPart user={user} shown={shown} />
        <EditProfile id={user.id} open={asked === 'edit'} onClose={() => ask(null)} onSaved={revalidate} />
        <DeleteUser
          user={asked === 'delete' ? user : null}
          onDeleted={() => void navigate('/admin/settings')}
          onClose={() => ask(null)}
        />
      </AdminPage>
    </>
  )
}

const BackToUsers = () => (
  <p className="mb-2 print:hidden">
    <Link to="/admin/settings" className="text-link inline-flex min-h-8 items-center gap-1">
      <ChevronLeft className="size-4" /> Back to settings
    </Link>
  </p>
)

const Missing = () => (
  <>
    <BackToUsers />
    <AdminPage title="User not found">
      <p className="mb-4 text-muted">There is no such account, or it was deleted.</p>
      <LinkButton to="/admin/settings">All users</LinkButton>
    </AdminPage>
  </>
)

import { roleLabels, roles } from '#domain/accounts/permissions.ts'
import { accessChanges, type AccessChange } from '#domain/accounts/account-access.ts'
import { nameOrEmail } from '#domain/accounts/accounts.ts'
import { userQuerySchema, type UserRow } from '#domain/accounts/user-rows.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { listUsersPage } from '#server/accounts/list-users-page.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { useMemo, useState } from 'react'
import { adminLoader, privateGridParams, readPostedSearch } from '../../../http/admin-loader.server.ts'
import { usePrivateGridUrl } from '../../../ui/data-grid/grid-url.ts'
import { initialFromLoader, trpc } from '../../../http/trpc.ts'
import { useGridSettings } from '../frame/use-grid-settings.ts'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { BulkBar } from '../../../ui/data-grid/BulkBar.tsx'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridFilter } from '../../../ui/data-grid/GridFilter.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import { useSelection } from '../../../ui/data-grid/use-selection.ts'
import type { Route } from './+types/settings'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import { AccessDialog } from './AccessDialog.tsx'
import { userColumns } from './columns.tsx'
import { DeleteUser } from './DeleteUser.tsx'
import { ResetFactorDialog } from './ResetFactorDialog.tsx'
import { RoleDialog } from './RoleDialog.tsx'
import { RolesDialog } from './RolesDialog.tsx'
import { RoleTable } from './RoleTable.tsx'
import { useAccessChange } from './use-access-change.ts'
import { accessLabels, userCount } from './user-labels.ts'
import { useRoleChange, type RoleChange } from './use-role-change.ts'

const grid = 'users'
const roleOptions = [
  ['', 'All'],
  ['admins', 'Admins'],
  ['users', 'Users'],
  ...roles.filter((role) => role !== 'admin').map((role) => [role, roleLabels[role]] as const),
] as const

const statusOptions = [
  ['', 'All'],
  ['active', 'Active'],
  ['suspended', 'Suspended'],
] as const

export const loader = adminLoader('customers.read', async (ctx, args: Route.LoaderArgs) => {
  const params = privateGridParams(args)
  const query = userQuerySchema.parse(params)
  const [page, settings] = await Promise.all([listUsersPage(ctx, query), getGridSettings(ctx, grid)])
  return { params, page, settings, currentUserId: ctx.user?.id ?? '' }
})

export const action = readPostedSearch

/** All accounts and their roles (specification, "Admin area"). */
export default function SettingsPage({ loaderData }: Route.ComponentProps) {
  const { currentUserId } = loaderData
  const userCan = useCan()
  const [managesRoles, managesUsers] = [userCan('roles.manage'), userCan('customers.manage')]
  const url = usePrivateGridUrl(loaderData.params)
  const settings = useGridSettings(grid, loaderData.settings, url)
  const utils = trpc.useUtils()
  const query = trpc.users.list.useQuery(url.params, initialFromLoader(loaderData, url.params))
  const { data = loaderData.page, isFetching } = query
  const selection = useSelection(url.params, query)
  const [results, setResults] = useState<Parameters<typeof BulkBar>[0]['results']>(null)
  const [pendingRoleChange, setPendingRoleChange] = useState<RoleChange | null>(null)
  const [pendingRoles, setPendingRoles] = useState<UserRow | null>(null)
  const [pendingReset, setPendingReset] = useState<UserRow | null>(null)
  const [pendingDelete, setPendingDelete] = useState<UserRow | null>(null)
  const { change: changeRole, isPending } = useRoleChange(url.params)
  const columns = useMemo(
    () =>
      userColumns({
        currentUserId,
        onChangeRole: managesRoles
          ? (row) => setPendingRoleChange({ target: row, isAdmin: !row.roles.includes('admin'), count: 1 })
          : null,
        onEditRoles: managesRoles ? setPendingRoles : null,
        onResetFactor: managesRoles ? setPendingReset : null,
        onDelete: managesUsers ? setPendingDelete : null,
      }),
    [currentUserId, managesRoles, managesUsers],
  )
  const canSelect = useMemo(() => (row: UserRow) => row.id !== currentUserId, [currentUserId])
  const confirmForSelected = (isAdmin: boolean): void => {
    setPendingRoleChange(
      selection.isAll
        ? { target: { query: url.params }, isAdmin, count: data.total }
        : { target: { ids: [...selection.ids] }, isAdmin, count: selection.ids.size },
    )
  }
  const access = useAccessChange((outcomes) => {
    selection.clear()
    setResults(outcomes)
    void utils.users.list.invalidate()
  })
  const askForSelected = (change: AccessChange): void => {
    const count = selection.isAll ? data.total : selection.ids.size
    const target = selection.isAll ? { query: url.params } : { ids: [...selection.ids] }
    access.ask({ change, target, label: userCount(count) })
  }
  const applyRoleChange = async (confirmed: RoleChange): Promise<void> => {
    setPendingRoleChange(null)
    const outcomes = await changeRole(confirmed)
    if (typeof outcomes === 'string') return setResults(outcomes)
    const isSingle = 'email' in confirmed.target
    if (!isSingle && outcomes.some(({ isChanged }) => isChanged)) selection.clear()
    // The undo bar reports a single change.
    setResults(isSingle && outcomes.every(({ error }) => error === null) ? null : outcomes)
  }
  return (
    <AdminPage
      title="Settings"
      actions={
        userCan('settings.write') ? <LinkButton to={adminPaths.shopSettings}>Shop settings</LinkButton> : null
      }
    >
      <h2 className="mb-3">User management</h2>
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel="Search users"
          filters={
            <>
              <GridFilter url={url} name="role" label="Role filter" options={roleOptions} />
              <GridFilter url={url} name="status" label="Status filter" options={statusOptions} />
            </>
          }
          columns={columns}
          settings={settings}
          {...(userCan('customers.export') && { exportPath: adminPaths.export('users') })}
        />
      </div>
      <DataGrid
        label="Users"
        columns={columns}
        rows={data.rows}
        nameOf={nameOrEmail}
        url={url}
        sort="joined"
        dir={url.params['dir'] === 'asc' ? 'asc' : 'desc'}
        settings={settings}
        {...((managesRoles || managesUsers) && { selection, canSelect })}
        empty={
          url.params['q'] || url.params['role'] || url.params['status']
            ? 'No users match your search.'
            : 'No users yet.'
        }
        isBusy={isFetching}
      />
      {managesRoles || managesUsers ? (
        <BulkBar
          selection={selection}
          onPage={data.rows.filter(canSelect).length}
          total={data.total}
          results={results}
          onDismiss={() => setResults(null)}
        >
          {managesRoles ? (
            <>
              <Button type="button" disabled={isPending} onClick={() => confirmForSelected(true)}>
                Make admin
              </Button>
              <Button type="button" disabled={isPending} onClick={() => confirmForSelected(false)}>
                Remove admin
              </Button>
            </>
          ) : null}
          {managesUsers
            ? accessChanges.map((change) => (
                <Button key={change} type="button" onClick={() => askForSelected(change)}>
                  {accessLabels[change]}
                </Button>
              ))
            : null}
        </BulkBar>
      ) : null}
      <div className="mt-2">
        <GridPager url={url} page={data} />
      </div>
      {managesRoles ? <RoleTable /> : null}
      <RolesDialog
        user={pendingRoles}
        onChanged={() => void utils.users.list.invalidate()}
        onClose={() => setPendingRoles(null)}
      />
      <ResetFactorDialog
        user={pendingReset}
        onChanged={() => void utils.users.list.invalidate()}
        onClose={() => setPendingReset(null)}
      />
      <RoleDialog
        change={pendingRoleChange}
        isBusy={isPending}
        onConfirm={(confirmed) => void applyRoleChange(confirmed)}
        onClose={() => setPendingRoleChange(null)}
      />
      <AccessDialog {...access.dialog} />
      <DeleteUser
        user={pendingDelete}
        onDeleted={() => {
          selection.toggle(pendingDelete ? [pendingDelete.id] : [], false)
          void utils.users.list.invalidate()
        }}
        onClose={() => setPendingDelete(null)}
      />
    </AdminPage>
  )
}

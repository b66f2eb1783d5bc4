import { userQuerySchema, type UserRow } from '#domain/accounts/user-rows.ts'
import { listUsersPage } from '#server/accounts/list-users-page.ts'
import { readHiddenColumns } from '#server/grids/hidden-columns.ts'
import { useMemo, useState } from 'react'
import { adminLoader, privateParamsOf, searchAction } from '../../../http/admin-loader.server.ts'
import { usePrivateGridUrl } from '../../../ui/data-grid/grid-url.ts'
import { startWith, trpc } from '../../../http/trpc.ts'
import { useHiddenColumns } from '../frame/use-hidden-columns.ts'
import { Button } from '../../../ui/Button.tsx'
import { BulkBar } from '../../../ui/data-grid/BulkBar.tsx'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridFilter } from '../../../ui/data-grid/GridFilter.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import { useSelection } from '../../../ui/data-grid/use-selection.ts'
import type { Route } from './+types/settings'
import { AdminPage } from '../frame/AdminPage.tsx'
import { columnsOf } from './columns.tsx'
import { DeleteUser } from './DeleteUser.tsx'
import { personName } from './user-labels.ts'
import { RoleDialog } from './RoleDialog.tsx'
import { useRoleChange, type RoleChange } from './use-role-change.ts'

const grid = 'users'
const roles = [
  ['', 'All'],
  ['admins', 'Admins'],
  ['users', 'Users'],
] as const

export const loader = adminLoader(async (ctx, args: Route.LoaderArgs) => {
  const params = privateParamsOf(args)
  const query = userQuerySchema.parse(params)
  const [page, hidden] = await Promise.all([listUsersPage(ctx, query), readHiddenColumns(ctx, grid)])
  return { params, page, hidden, ownId: ctx.user?.id ?? '' }
})

export const action = searchAction

/** Who has an account and what they may do (specification, "Admin area"). */
export default function SettingsPage({ loaderData }: Route.ComponentProps) {
  const { ownId } = loaderData
  const url = usePrivateGridUrl(loaderData.params)
  const [hidden, hide] = useHiddenColumns(grid, loaderData.hidden)
  const utils = trpc.useUtils()
  const { data = loaderData.page, isFetching } = trpc.users.list.useQuery(
    url.params,
    startWith(loaderData, url.params),
  )
  const selection = useSelection(url.params)
  const [results, setResults] = useState<Parameters<typeof BulkBar>[0]['results']>(null)
  const [roleAsked, askForRole] = useState<RoleChange | null>(null)
  const [deleted, askToDelete] = useState<UserRow | null>(null)
  const { change, isPending } = useRoleChange(url.params)
  const columns = useMemo(
    () =>
      columnsOf({
        ownId,
        askForRole: (row) => askForRole({ target: row, isAdmin: !row.isAdmin, count: 1 }),
        askToDelete,
      }),
    [ownId],
  )
  const canSelect = useMemo(() => (row: UserRow) => row.id !== ownId, [ownId])
  const askForChosen = (isAdmin: boolean): void => {
    askForRole(
      selection.isAll
        ? { target: { query: url.params }, isAdmin, count: data.total }
        : { target: { ids: [...selection.ids] }, isAdmin, count: selection.ids.size },
    )
  }
  const confirmRole = async (asked: RoleChange): Promise<void> => {
    askForRole(null)
    const became = await change(asked)
    if ('email' in asked.target || became === null) return
    selection.clear()
    setResults(became)
  }
  return (
    <AdminPage title="Settings">
      <h2 className="mb-3">User management</h2>
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel="Search users"
          filters={<GridFilter url={url} name="role" label="Role filter" options={roles} />}
          columns={columns}
          hidden={hidden}
          onHide={hide}
          exportPath="/admin/users.csv"
        />
      </div>
      <DataGrid
        label="Users"
        columns={columns}
        rows={data.rows}
        nameOf={personName}
        url={url}
        sort="joined"
        dir={url.params['dir'] === 'asc' ? 'asc' : 'desc'}
        hidden={hidden}
        selection={selection}
        canSelect={canSelect}
        empty={url.params['q'] || url.params['role'] ? 'No user matches.' : 'No users yet.'}
        isBusy={isFetching}
      />
      <BulkBar
        selection={selection}
        onPage={data.rows.filter(canSelect).length}
        total={data.total}
        results={results}
        onDismiss={() => setResults(null)}
      >
        <Button type="button" disabled={isPending} onClick={() => askForChosen(true)}>
          Make admin
        </Button>
        <Button type="button" disabled={isPending} onClick={() => askForChosen(false)}>
          Remove admin
        </Button>
      </BulkBar>
      <div className="mt-2">
        <GridPager url={url} page={data} />
      </div>
      <RoleDialog
        asked={roleAsked}
        isBusy={isPending}
        onConfirm={(asked) => void confirmRole(asked)}
        onClose={() => askForRole(null)}
      />
      <DeleteUser
        user={deleted}
        onDeleted={() => {
          selection.toggle(deleted ? [deleted.id] : [], false)
          void utils.users.list.invalidate()
        }}
        onClose={() => askToDelete(null)}
      />
    </AdminPage>
  )
}

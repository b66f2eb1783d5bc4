import { withAdmin } from '#domain/accounts/permissions.ts'
import type { RoleResult, UserRow } from '#domain/accounts/user-rows.ts'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import type { GridParams } from '../../../ui/data-grid/grid-url.ts'
import { offerUndo } from '../../../ui/data-grid/undo.ts'
import { showToast } from '../../../ui/toasts.ts'

/** A role change for one or more accounts. */
export type RoleChange = {
  isAdmin: boolean
  /** One account, several by id, or all that a search and filters match. */
  target: UserRow | { ids: string[] } | { query: GridParams }
  /** How many accounts that is. */
  count: number
}

const undoMessage = (changed: readonly RoleResult[], isAdmin: boolean): string => {
  const [first] = changed
  const role = isAdmin ? 'admin' : 'user'
  return first && changed.length === 1
    ? `${first.name} is now ${isAdmin ? 'an admin' : 'a user'}.`
    : `${changed.length} accounts are now ${role}s.`
}

/**
 * Changes roles. The grid shows the new role at once and reloads if the call fails. Returns the
 * result for each account, or why the whole call failed.
 */
export function useRoleChange(params: GridParams) {
  const utils = trpc.useUtils()
  const { mutateAsync, isPending } = trpc.users.setRole.useMutation()

  const showRole = (ids: ReadonlySet<string>, isAdmin: boolean): void => {
    utils.users.list.setData(
      params,
      (page) =>
        page && {
          ...page,
          rows: page.rows.map((row) =>
            ids.has(row.id) ? { ...row, roles: withAdmin(isAdmin)(row.roles) } : row,
          ),
        },
    )
  }
  const change = async ({ target, isAdmin }: RoleChange): Promise<RoleResult[] | string> => {
    const isSingle = 'email' in target
    const ids = isSingle ? [target.id] : 'ids' in target ? target.ids : []
    const before = utils.users.list.getData(params)
    showRole(new Set(ids), isAdmin)
    const failureMessage = isSingle ? 'Failed to update user admin status' : 'Failed to update selected users'
    const showFailure = () => showToast({ kind: 'error', title: 'Update Failed', text: failureMessage })
    try {
      const results = await mutateAsync({ target: 'query' in target ? target : { ids }, isAdmin })
      const changed = results.filter(({ isChanged }) => isChanged)
      if (results.every(({ error }) => error !== null)) showFailure()
      if (changed.length > 0) {
        offerUndo(undoMessage(changed, isAdmin), {
          undo: () => mutateAsync({ target: { ids: changed.map(({ id }) => id) }, isAdmin: !isAdmin }),
          refresh: () => utils.users.list.invalidate(),
        })
      }
      await utils.users.list.invalidate()
      return results
    } catch (failure) {
      utils.users.list.setData(params, before)
      showFailure()
      // When the response was lost, the roles may have changed.
      void utils.users.list.invalidate()
      return toCallFailure(failure).message
    }
  }
  return { change, isPending }
}

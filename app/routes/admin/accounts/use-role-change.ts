import type { RoleResult, UserRow } from '#domain/accounts/user-rows.ts'
import { trpc } from '../../../http/trpc.ts'
import type { GridParams } from '../../../ui/data-grid/grid-url.ts'
import { offerUndo } from '../../../ui/data-grid/undo.ts'
import { showToast } from '../../../ui/toasts.ts'

/** Whose role is asked to change, and to what. */
export type RoleChange = {
  isAdmin: boolean
  /** One account, several by their ids, or all that a search and filters match. */
  target: UserRow | { ids: string[] } | { query: GridParams }
  /** How many those are. */
  count: number
}

const sentence = (changed: readonly RoleResult[], isAdmin: boolean): string => {
  const [first] = changed
  const role = isAdmin ? 'admin' : 'user'
  return first && changed.length === 1
    ? `${first.name} is ${isAdmin ? 'an admin' : 'a user'} now.`
    : `${changed.length} accounts are ${role}s now.`
}

/**
 * Changes roles: what is seen changes at once, and back again when it is refused. Returns what became of each account; null when
 * nobody was reached.
 */
export function useRoleChange(params: GridParams) {
  const utils = trpc.useUtils()
  const { mutateAsync, isPending } = trpc.users.setRole.useMutation()

  const show = (ids: ReadonlySet<string>, isAdmin: boolean): void => {
    utils.users.list.setData(
      params,
      (page) =>
        page && { ...page, rows: page.rows.map((row) => (ids.has(row.id) ? { ...row, isAdmin } : row)) },
    )
  }
  const change = async ({ target, isAdmin }: RoleChange): Promise<RoleResult[] | null> => {
    const isOne = 'email' in target
    const ids = isOne ? [target.id] : 'ids' in target ? target.ids : []
    const before = utils.users.list.getData(params)
    show(new Set(ids), isAdmin)
    const failed = isOne ? 'Failed to update user admin status' : 'Failed to update selected users'
    const tell = () => showToast({ kind: 'error', title: 'Update Failed', text: failed })
    try {
      const results = await mutateAsync({ target: 'query' in target ? target : { ids }, isAdmin })
      const changed = results.filter(({ isChanged }) => isChanged)
      if (results.every(({ error }) => error !== null)) tell()
      if (changed.length > 0) {
        offerUndo(sentence(changed, isAdmin), async () => {
          await mutateAsync({ target: { ids: changed.map(({ id }) => id) }, isAdmin: !isAdmin })
          await utils.users.list.invalidate()
        })
      }
      await utils.users.list.invalidate()
      return results
    } catch {
      utils.users.list.setData(params, before)
      tell()
      return null
    }
  }
  return { change, isPending }
}

import type { UserRow } from '#domain/accounts/user-rows.ts'
import { dayOf } from '../../../components/orders/order-labels.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Clamped } from '../../../ui/data-grid/Clamped.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { ShieldCheck, Trash } from '../../../ui/icons.tsx'
import { Link } from '../../../ui/Link.tsx'
import { personName, roleWord } from './user-labels.ts'

type Acts = {
  /** Whoever looks: their own row has neither toggle nor delete. */
  ownId: string
  askForRole: (row: UserRow) => void
  askToDelete: (row: UserRow) => void
}

export const columnsOf = ({ ownId, askForRole, askToDelete }: Acts): GridColumn<UserRow>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 'min-w-36',
    cell: (row) => (
      <>
        <b>
          <Clamped
            text={personName(row)}
            lines={row.id === ownId ? 1 : 2}
            className="[overflow-wrap:anywhere]"
          />
        </b>
        {row.id === ownId ? <span className="text-muted">(you)</span> : null}
      </>
    ),
  },
  {
    id: 'email',
    header: 'Email',
    cell: ({ email }) => (
      <span className="block max-w-40 truncate 2xl:max-w-72" title={email}>
        {email}
      </span>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    // As wide as its widest, and so the toggle below: nothing moves when a role changes.
    width: 'min-w-26',
    cell: ({ isAdmin }) =>
      isAdmin ? (
        <Badge tone="primary" icon={<ShieldCheck />}>
          {roleWord(isAdmin)}
        </Badge>
      ) : (
        roleWord(isAdmin)
      ),
  },
  {
    id: 'second-factor',
    header: 'Two-step',
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'On' : 'Off'),
  },
  { id: 'orders', header: 'Orders', align: 'end', cell: ({ orderCount }) => orderCount },
  {
    id: 'joined',
    header: 'Joined',
    sort: 'joined',
    firstDir: 'desc',
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap">
        {dayOf(createdAt)}
      </time>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    width: 'w-64',
    cell: (row) => {
      const name = personName(row)
      return (
        <div className="flex gap-1">
          <Link to={`/admin/users/${row.id}`} className="btn btn-ghost" aria-label={`View ${name}`}>
            View
          </Link>
          {row.id === ownId ? null : (
            <>
              <Button
                type="button"
                kind="quiet"
                className="min-w-31"
                aria-label={`${roleVerb(row)}: ${name}`}
                onClick={() => askForRole(row)}
              >
                {roleVerb(row)}
              </Button>
              <IconButton type="button" label={`Delete ${name}`} onClick={() => askToDelete(row)}>
                <Trash />
              </IconButton>
            </>
          )}
        </div>
      )
    },
  },
]

/** What the toggle of a role does, in the words of its button. */
export const roleVerb = ({ isAdmin }: Pick<UserRow, 'isAdmin'>): string =>
  isAdmin ? 'Remove admin' : 'Make admin'

import { labelRoles } from '#domain/accounts/permissions.ts'
import { nameOrEmail } from '#domain/accounts/accounts.ts'
import type { UserRow } from '#domain/accounts/user-rows.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { CellButton } from '../../../ui/data-grid/CellButton.tsx'
import { EmailAddress } from '../../../ui/data-grid/EmailAddress.tsx'
import { RowActions } from '../../../ui/data-grid/RowActions.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { CircleX, ShieldCheck, Trash } from '../../../ui/icons.tsx'
import { Link } from '../../../render/Link.tsx'

type RowActions = {
  /** The signed-in admin, whose own row has no role button and no delete. */
  currentUserId: string
  /** Null for staff who may not. */
  onChangeRole: ((row: UserRow) => void) | null
  onEditRoles: ((row: UserRow) => void) | null
  onResetFactor: ((row: UserRow) => void) | null
  onDelete: ((row: UserRow) => void) | null
}

export const userColumns = ({
  currentUserId: ownId,
  onChangeRole,
  onEditRoles,
  onResetFactor,
  onDelete,
}: RowActions): GridColumn<UserRow>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 'min-w-36 max-md:min-w-48',
    cell: (row) => (
      <>
        <b>
          <EmailAddress email={nameOrEmail(row)} />
        </b>{' '}
        {row.id === ownId ? <span className="text-muted">(you)</span> : null}
        {row.isSuspended ? (
          <Badge tone="error" icon={<CircleX />}>
            Suspended
          </Badge>
        ) : null}
      </>
    ),
  },
  {
    id: 'email',
    header: 'Email',
    // On a phone the grid scrolls sideways, and most addresses stay on one line.
    width: 'max-md:min-w-72',
    cell: ({ email }) => <EmailAddress email={email} />,
  },
  {
    id: 'role',
    header: 'Role',
    // As wide as its widest value, like the button below: nothing moves when a role changes.
    width: 'min-w-26',
    cell: (row) =>
      onEditRoles && row.id !== ownId ? (
        <CellButton
          className="text-link min-h-8 text-start"
          textClassName="inline-flex min-h-8 items-center"
          label={`${labelRoles(row.roles)}, change roles: ${nameOrEmail(row)}`}
          onClick={() => onEditRoles(row)}
        >
          {labelRoles(row.roles)}
        </CellButton>
      ) : row.roles.length > 0 ? (
        <Badge tone="primary" icon={<ShieldCheck />}>
          {labelRoles(row.roles)}
        </Badge>
      ) : (
        labelRoles(row.roles)
      ),
  },
  {
    id: 'second-factor',
    header: 'Two-step',
    cell: (row) =>
      !row.hasSecondFactor ? (
        'Off'
      ) : onResetFactor && row.id !== ownId ? (
        <CellButton
          className="text-link min-h-8 text-start"
          textClassName="inline-flex min-h-8 items-center"
          label={`On, reset two-step sign-in: ${nameOrEmail(row)}`}
          onClick={() => onResetFactor(row)}
        >
          On
        </CellButton>
      ) : (
        'On'
      ),
  },
  { id: 'orders', header: 'Orders', align: 'end', cell: ({ orderCount }) => orderCount },
  {
    id: 'joined',
    header: 'Joined',
    sort: 'joined',
    firstDir: 'desc',
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap">
        {formatDay(createdAt)}
      </time>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (row) => {
      const name = nameOrEmail(row)
      return (
        <RowActions name={name}>
          <Link to={adminPaths.user(row.id)} className="btn btn-ghost" aria-label={`View ${name}`}>
            View
          </Link>
          {row.id === ownId ? null : (
            <>
              {onChangeRole ? (
                <Button
                  type="button"
                  kind="quiet"
                  className="min-w-31"
                  aria-label={`${roleVerb(row)}: ${name}`}
                  onClick={() => onChangeRole(row)}
                >
                  {roleVerb(row)}
                </Button>
              ) : null}
              {onDelete ? (
                <IconButton
                  type="button"
                  label={`Delete ${name}`}
                  title="Delete"
                  onClick={() => onDelete(row)}
                >
                  <Trash />
                </IconButton>
              ) : null}
            </>
          )}
        </RowActions>
      )
    },
  },
]

/** The label of the button that toggles a role. */
export const roleVerb = ({ roles }: Pick<UserRow, 'roles'>): string =>
  roles.includes('admin') ? 'Remove admin' : 'Make admin'

import { statusWords, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import type { ReactNode } from 'react'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { dayOf, orderRef } from '../../../components/orders/order-labels.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { LinkButton } from '../../../ui/Button.tsx'
import {
  CalendarX,
  CircleCheck,
  CircleX,
  Clock,
  ExternalLink,
  FileText,
  type Icon,
} from '../../../ui/icons.tsx'
import { Link } from '../../../ui/Link.tsx'
import { money } from '../frame/money.ts'
import { Facts } from './Facts.tsx'
import { genderWord, roleWord, tabs, type TabName } from './user-labels.ts'
import type { readTab } from './load-tab.server.ts'

export type Shown = Awaited<ReturnType<typeof readTab>>
type Part<Name extends TabName> = Extract<Shown, { tab: Name }>

export type User = {
  id: string
  email: string
  isAdmin: boolean
  createdAt: string
  hasIdDocument: boolean
}

/** The ways between the parts of a user's page: links, so that each is asked for alone and works without scripts. */
export const UserTabs = ({ id, current }: { id: string; current: TabName }) => (
  <nav
    aria-label="Parts of this user"
    className="mb-4 flex flex-wrap gap-x-1 border-b border-line print:hidden"
  >
    {Object.entries(tabs).map(([name, label]) => (
      <Link
        key={name}
        to={name === 'profile' ? `/admin/users/${id}` : `/admin/users/${id}?tab=${name}`}
        preventScrollReset
        className="-mb-px inline-flex min-h-10 items-center border-b-2 border-transparent px-3 font-semibold text-muted hover:text-base-content aria-[current=page]:border-primary aria-[current=page]:text-primary"
        {...(name === current && { 'aria-current': 'page' })}
      >
        {label}
      </Link>
    ))}
  </nav>
)

/** The part that is looked at. */
export function UserPart({ user, shown }: { user: User; shown: Shown }) {
  switch (shown.tab) {
    case 'profile':
      return <ProfilePart user={user} part={shown} />
    case 'medical':
      return <MedicalPart part={shown} />
    case 'addresses':
      return <AddressesPart part={shown} />
    case 'prescriptions':
      return <PrescriptionsPart part={shown} />
    case 'orders':
      return <OrdersPart id={user.id} part={shown} />
    default:
      return shown satisfies never
  }
}

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="card p-5">
    <h2 className="mb-3">{title}</h2>
    {children}
  </section>
)

const ProfilePart = ({ user, part }: { user: User; part: Part<'profile'> }) => (
  <Card title="Profile">
    <Facts
      facts={[
        [
          'Email',
          <a key="mail" href={`mailto:${user.email}`} className="text-link">
            {user.email}
          </a>,
        ],
        ['Role', roleWord(user.isAdmin)],
        ['Cell phone', part.cellPhone],
        ['Home phone', part.homePhone],
        [
          'Joined',
          <time key="day" dateTime={user.createdAt}>
            {dayOf(user.createdAt)}
          </time>,
        ],
        [
          'ID document',
          user.hasIdDocument ? (
            <FileLink key="id" href={`/api/users/${user.id}/id-document`} name="View ID document" />
          ) : (
            'No ID document uploaded yet'
          ),
        ],
      ]}
    />
  </Card>
)

/** Opened in a new tab (specification, section 7). */
const FileLink = ({ href, name, of }: { href: string; name: string; of?: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className="text-link inline-flex items-center gap-1 whitespace-nowrap"
    aria-label={`${name}${of ? ` of ${of}` : ''} (opens in a new tab)`}
  >
    <FileText className="size-4" />
    {name}
    <ExternalLink className="size-3.5" />
  </a>
)

const MedicalPart = ({ part }: { part: Part<'medical'> }) => (
  <Card title="Medical">
    <Facts
      facts={[
        ['Date of birth', part.dateOfBirth && dayOf(part.dateOfBirth)],
        ['Gender', genderWord(part.gender)],
        ['Weight', part.weight === null ? null : `${part.weight} lb`],
        ['Allergies', part.allergies],
        ['Current medications', part.currentMedications],
      ]}
    />
  </Card>
)

const AddressesPart = ({ part: { shipping, billing, saved } }: { part: Part<'addresses'> }) => (
  <div className="grid gap-4">
    <Card title="Profile addresses">
      <Facts
        facts={[
          ['Shipping address', shipping],
          ['Billing address', billing],
        ]}
      />
    </Card>
    <Card title="Saved addresses">
      {saved.length === 0 ? (
        <p className="text-muted">No saved addresses yet. They are kept from paid orders.</p>
      ) : (
        <ul className="divide-y divide-line">
          {saved.map(({ id, text, isDefault }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <span className="wrap-anywhere">{text}</span>
              {isDefault ? <Badge tone="primary">Default</Badge> : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  </div>
)

const Day = ({ iso }: { iso: string | null }) =>
  iso === null ? '–' : <time dateTime={iso}>{dayOf(iso)}</time>

/** A short list as a table that scrolls inside itself. */
const Table = ({
  label,
  head,
  children,
}: {
  label: string
  head: readonly string[]
  children: ReactNode
}) => (
  <div className="data-grid">
    <table aria-label={label}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)

const statusIcons: Record<PrescriptionStatus, Icon> = {
  under_review: Clock,
  approved: CircleCheck,
  rejected: CircleX,
  expired: CalendarX,
}

function PrescriptionsPart({ part: { prescriptions } }: { part: Part<'prescriptions'> }) {
  if (prescriptions.length === 0) return <Nothing>No prescriptions uploaded yet</Nothing>
  return (
    <Table
      label="Prescriptions"
      head={['Prescription', 'Status', 'Uploaded', 'Prescription date', 'Expiry date', 'Order', 'File']}
    >
      {prescriptions.map((one) => {
        const { label, tone } = statusWords[one.status]
        const StatusIcon = statusIcons[one.status]
        const name = one.doctorName ?? `Prescription of ${dayOf(one.uploadedAt)}`
        return (
          <tr key={one.id}>
            <td className="min-w-44">
              <b>{name}</b>
              {one.notes ? <p className="whitespace-pre-line text-muted">{one.notes}</p> : null}
            </td>
            <td>
              <Badge tone={tone} icon={<StatusIcon />}>
                {label}
              </Badge>
              {one.statusReason ? <p className="mt-1 min-w-44">{one.statusReason}</p> : null}
            </td>
            <td className="whitespace-nowrap">
              <Day iso={one.uploadedAt} />
            </td>
            <td className="whitespace-nowrap">
              <Day iso={one.prescriptionDate} />
            </td>
            <td className="whitespace-nowrap">
              <Day iso={one.expiryDate} />
            </td>
            <td>
              {one.orderId ? (
                <Link to={`/admin/orders/${one.orderId}`} className="text-link font-mono">
                  {orderRef(one.orderId)}
                </Link>
              ) : (
                '–'
              )}
            </td>
            <td>
              <FileLink href={one.fileUrl} name="View file" of={name} />
            </td>
          </tr>
        )
      })}
    </Table>
  )
}

function OrdersPart({ id, part: { orders, isLater, next } }: { id: string; part: Part<'orders'> }) {
  if (orders.length === 0) return <Nothing>No orders yet</Nothing>
  const to = `/admin/users/${id}?tab=orders`
  return (
    <>
      <Table label="Orders" head={['Order', 'Placed', 'Status', 'Lines', 'Total']}>
        {orders.map((order) => (
          <tr key={order.id}>
            <td>
              <Link to={`/admin/orders/${order.id}`} className="text-link font-mono">
                {orderRef(order.id)}
              </Link>
            </td>
            <td className="whitespace-nowrap">
              <Day iso={order.createdAt} />
            </td>
            <td>
              <OrderStatusBadge status={order.status} />
            </td>
            <td className="tabular-nums">{order.count}</td>
            <td className="tabular-nums">{money(order.total)}</td>
          </tr>
        ))}
      </Table>
      {isLater || next ? (
        <nav aria-label="Pages" className="mt-2 flex gap-2">
          {isLater ? <LinkButton to={to}>Newest orders</LinkButton> : null}
          {next ? <LinkButton to={`${to}&after=${next}`}>Older orders</LinkButton> : null}
        </nav>
      ) : null}
    </>
  )
}

const Nothing = ({ children }: { children: string }) => (
  <div className="card px-6 py-12 text-center">{children}</div>
)

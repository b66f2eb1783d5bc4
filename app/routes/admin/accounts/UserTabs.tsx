import { labelRoles, type Role } from '#domain/accounts/permissions.ts'
import { paths } from '#domain/paths.ts'
import { statusMessages, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import type { ReactNode } from 'react'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
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
import { Link } from '../../../render/Link.tsx'
import { useCan } from '../frame/use-can.ts'
import { money } from '../frame/money.ts'
import { Facts } from './Facts.tsx'
import { genderLabel, tabPermissions, tabs, type TabName } from './user-labels.ts'
import type { loadTab } from './load-tab.server.ts'

export type TabData = Awaited<ReturnType<typeof loadTab>>
type TabDataOf<Name extends TabName> = Extract<TabData, { tab: Name }>

export type User = {
  id: string
  email: string
  roles: readonly Role[]
  createdAt: string
  hasIdDocument: boolean
}

/** The tabs of a user's page are links: each loads only its own data and works without scripts. */
export function UserTabs({ id, current }: { id: string; current: TabName }) {
  const can = useCan()
  const names = (Object.keys(tabs) as TabName[]).filter((name) => {
    const permission = tabPermissions[name]
    return permission === null || can(permission)
  })
  return (
    <nav aria-label="User details" className="mb-4 flex flex-wrap gap-x-1 border-b border-line print:hidden">
      {names.map((name) => (
        <Link
          key={name}
          to={name === 'profile' ? paths.admin.user(id) : paths.admin.user(id, { tab: name })}
          preventScrollReset
          className="-mb-px inline-flex min-h-10 items-center border-b-2 border-transparent px-3 font-semibold text-muted hover:text-base-content aria-[current=page]:border-primary aria-[current=page]:text-primary"
          {...(name === current && { 'aria-current': 'page' })}
        >
          {tabs[name]}
        </Link>
      ))}
    </nav>
  )
}

/** The content of the selected tab. */
export function UserTabPanel({ user, tabData }: { user: User; tabData: TabData }) {
  switch (tabData.tab) {
    case 'profile':
      return <ProfileTab user={user} data={tabData} />
    case 'medical':
      return <MedicalTab data={tabData} />
    case 'addresses':
      return <AddressesTab data={tabData} />
    case 'prescriptions':
      return <PrescriptionsTab data={tabData} />
    case 'orders':
      return <OrdersTab id={user.id} data={tabData} />
    case 'sign-ins':
      return <SignInsTab id={user.id} data={tabData} />
    default:
      return tabData satisfies never
  }
}

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="card p-5">
    <h2 className="mb-3">{title}</h2>
    {children}
  </section>
)

function ProfileTab({ user, data }: { user: User; data: TabDataOf<'profile'> }) {
  const can = useCan()
  return (
    <Card title="Profile">
      <Facts
        facts={[
          [
            'Email',
            <a key="mail" href={`mailto:${user.email}`} className="text-link">
              {user.email}
            </a>,
          ],
          ['Role', labelRoles(user.roles)],
          ['Cell phone', data.cellPhone],
          ['Home phone', data.homePhone],
          [
            'Joined',
            <time key="day" dateTime={user.createdAt}>
              {formatDay(user.createdAt)}
            </time>,
          ],
          [
            'ID document',
            !user.hasIdDocument ? (
              'No ID document uploaded yet'
            ) : can('health.read') ? (
              <FileLink key="id" href={paths.api.userIdDocument(user.id)} name="View ID document" />
            ) : (
              'On file'
            ),
          ],
        ]}
      />
    </Card>
  )
}

/** A link to a file, opened in a new tab (specification, section 7). */
const FileLink = ({ href, name, subject }: { href: string; name: string; subject?: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className="text-link inline-flex items-center gap-1 whitespace-nowrap"
    aria-label={`${name}${subject ? ` of ${subject}` : ''} (opens in a new tab)`}
  >
    <FileText className="size-4" />
    {name}
    <ExternalLink className="size-3.5" />
  </a>
)

const MedicalTab = ({ data }: { data: TabDataOf<'medical'> }) => (
  <Card title="Medical">
    <Facts
      facts={[
        ['Date of birth', data.dateOfBirth && formatDay(data.dateOfBirth)],
        ['Gender', genderLabel(data.gender)],
        ['Weight', data.weight === null ? null : `${data.weight} lb`],
        ['Allergies', data.allergies],
        ['Current medications', data.currentMedications],
      ]}
    />
  </Card>
)

const AddressesTab = ({ data: { shipping, billing, saved } }: { data: TabDataOf<'addresses'> }) => (
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
        <p className="text-muted">No saved addresses yet. Addresses are saved from paid orders.</p>
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
  iso === null ? '–' : <time dateTime={iso}>{formatDay(iso)}</time>

/** A short list as a table with its own scrolling. */
const Table = ({
  label,
  headers,
  children,
}: {
  label: string
  headers: readonly string[]
  children: ReactNode
}) => (
  <div className="data-grid">
    <table aria-label={label}>
      <thead>
        <tr>
          {headers.map((name) => (
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

function PrescriptionsTab({ data: { prescriptions } }: { data: TabDataOf<'prescriptions'> }) {
  if (prescriptions.length === 0) return <EmptyCard>No prescriptions uploaded yet</EmptyCard>
  return (
    <Table
      label="Prescriptions"
      headers={['Prescription', 'Status', 'Uploaded', 'Prescription date', 'Expiry date', 'Order', 'File']}
    >
      {prescriptions.map((prescription) => {
        const { label, tone } = statusMessages[prescription.status]
        const StatusIcon = statusIcons[prescription.status]
        const name = prescription.doctorName ?? `Prescription from ${formatDay(prescription.uploadedAt)}`
        return (
          <tr key={prescription.id}>
            <td className="min-w-44">
              <b>{name}</b>
              {prescription.notes ? (
                <p className="whitespace-pre-line text-muted">{prescription.notes}</p>
              ) : null}
            </td>
            <td>
              <Badge tone={tone} icon={<StatusIcon />}>
                {label}
              </Badge>
              {prescription.statusReason ? (
                <p className="mt-1 min-w-44">{prescription.statusReason}</p>
              ) : null}
            </td>
            <td className="whitespace-nowrap">
              <Day iso={prescription.uploadedAt} />
            </td>
            <td className="whitespace-nowrap">
              <Day iso={prescription.prescriptionDate} />
            </td>
            <td className="whitespace-nowrap">
              <Day iso={prescription.expiryDate} />
            </td>
            <td>
              {prescription.orderId ? (
                <Link to={paths.admin.order(prescription.orderId)} className="text-link font-mono">
                  {orderRef(prescription.orderId)}
                </Link>
              ) : (
                '–'
              )}
            </td>
            <td>
              <FileLink href={prescription.fileUrl} name="View file" subject={name} />
            </td>
          </tr>
        )
      })}
    </Table>
  )
}

function OrdersTab({
  id,
  data: { orders, isPastFirstPage: isLater, next },
}: {
  id: string
  data: TabDataOf<'orders'>
}) {
  if (orders.length === 0) return <EmptyCard>No orders yet</EmptyCard>
  const tabPath = paths.admin.user(id, { tab: 'orders' })
  return (
    <>
      <Table label="Orders" headers={['Order', 'Placed', 'Status', 'Items', 'Total']}>
        {orders.map((order) => (
          <tr key={order.id}>
            <td>
              <Link to={paths.admin.order(order.id)} className="text-link font-mono">
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
          {isLater ? <LinkButton to={tabPath}>Newest orders</LinkButton> : null}
          {next ? <LinkButton to={`${tabPath}&after=${next}`}>Older orders</LinkButton> : null}
        </nav>
      ) : null}
    </>
  )
}

function SignInsTab({
  id,
  data: { signIns, isPastFirstPage, next },
}: {
  id: string
  data: TabDataOf<'sign-ins'>
}) {
  const tabPath = paths.admin.user(id, { tab: 'sign-ins' })
  return (
    <>
      <Table label="Sign-ins" headers={['Time', 'Event', 'From', 'Reason']}>
        {signIns.map((entry) => (
          <tr key={entry.id}>
            <td className="whitespace-nowrap">
              <time dateTime={entry.at}>{`${entry.at.slice(0, 16).replace('T', ' ')} UTC`}</time>
            </td>
            <td>
              <b>{actorLabel(entry.by)}</b> {entry.description}
            </td>
            <td>{entry.device ?? '–'}</td>
            <td>{entry.reason ?? '–'}</td>
          </tr>
        ))}
      </Table>
      {isPastFirstPage || next ? (
        <nav aria-label="Pages" className="mt-2 flex gap-2">
          {isPastFirstPage ? <LinkButton to={tabPath}>Newest</LinkButton> : null}
          {next ? <LinkButton to={`${tabPath}&after=${next}`}>Earlier</LinkButton> : null}
        </nav>
      ) : null}
    </>
  )
}

function actorLabel(by: TabDataOf<'sign-ins'>['signIns'][number]['by']): string {
  if (by.kind === 'self') return 'The user'
  if (by.kind === 'unknown') return 'Someone'
  if (by.kind === 'shop') return 'Meridian'
  return by.firstName ?? 'An administrator'
}

const EmptyCard = ({ children }: { children: string }) => (
  <div className="card px-6 py-12 text-center">{children}</div>
)

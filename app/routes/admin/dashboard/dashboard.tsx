import { comparison, periodOf, periods, type Dashboard } from '#domain/dashboard/dashboard.ts'
import { readDashboard } from '#server/dashboard/get-dashboard.ts'
import type { ReactNode } from 'react'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { Link } from '../../../ui/Link.tsx'
import type { Route } from './+types/dashboard'
import { DayChart } from './DayChart.tsx'
import { drawChart } from './draw-chart.server.ts'
import { LowStock } from './LowStock.tsx'
import { money, wholeMoney } from '../frame/money.ts'
import { RecentOrders } from './RecentOrders.tsx'
import { TopMedicines } from './TopMedicines.tsx'
import { WaitingPrescriptions } from './WaitingPrescriptions.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'

export const loader = adminLoader(async (ctx, { request }: Route.LoaderArgs) => {
  const dashboard = await readDashboard(ctx, periodOf(new URL(request.url).searchParams.get('days')))
  return {
    dashboard,
    revenue: drawChart(dashboard.perDay, ({ cents }) => cents / 100),
    orders: drawChart(dashboard.perDay, ({ orders }) => orders),
  }
})

/** How the shop stands (specification, "Admin area"). */
export default function DashboardPage({ loaderData }: Route.ComponentProps) {
  const { dashboard, revenue, orders } = loaderData
  const { days, perDay } = dashboard
  return (
    <AdminPage title="Dashboard" actions={<PeriodChoice chosen={days} />}>
      <Figures dashboard={dashboard} />
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
        <DayChart
          title="Revenue"
          chart={revenue}
          days={perDay}
          figure={({ cents }) => cents / 100}
          write={(dollars) => money(dollars * 100)}
          writeTick={wholeMoney}
        />
        <DayChart
          title="Orders"
          chart={orders}
          days={perDay}
          figure={({ orders }) => orders}
          write={(count) => count.toLocaleString('en-US')}
        />
        <RecentOrders orders={dashboard.recentOrders} />
        <TopMedicines medicines={dashboard.topMedicines} days={days} />
        <WaitingPrescriptions waiting={dashboard.prescriptions} />
        <LowStock lowStock={dashboard.lowStock} />
      </div>
    </AdminPage>
  )
}

/** The documented figures; each is of the whole time, but for what stands under it. */
function Figures({ dashboard }: { dashboard: Dashboard }) {
  const { days, perDay, revenueCents, orders, activeProducts, pendingOrders } = dashboard
  const sum = (of: 'now' | 'before', name: 'cents' | 'orders'): number =>
    perDay.reduce((total, day) => total + day[of][name], 0)
  const compared = (name: 'cents' | 'orders'): string => {
    const words = comparison(sum('now', name), sum('before', name))
    return words === null ? `in ${days} days` : `in ${days} days, ${words} than before`
  }
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure name="Total Revenue" value={money(revenueCents)}>
        {money(sum('now', 'cents'))} {compared('cents')}
      </Figure>
      <Figure name="Total Orders" value={orders.toLocaleString('en-US')}>
        {sum('now', 'orders').toLocaleString('en-US')} {compared('orders')}
      </Figure>
      <Figure name="Active Products" value={activeProducts.toLocaleString('en-US')}>
        <Link to="/admin/variants" className="text-link">
          Products
        </Link>
      </Figure>
      <Figure name="Pending Orders" value={pendingOrders.toLocaleString('en-US')}>
        <Link to="/admin/orders?status=processing" className="text-link">
          To be shipped
        </Link>
      </Figure>
    </dl>
  )
}

const Figure = ({ name, value, children }: { name: string; value: string; children: ReactNode }) => (
  <div className="card flex flex-col px-4 py-3">
    <dt className="text-muted">{name}</dt>
    <dd className="text-base font-bold tracking-tight wrap-normal tabular-nums sm:text-xl">{value}</dd>
    <dd className="mt-auto text-sm text-muted">{children}</dd>
  </div>
)

const PeriodChoice = ({ chosen }: { chosen: number }) => (
  <nav aria-label="Period" className="flex gap-1">
    {periods.map((days) => (
      <LinkButton
        key={days}
        kind={days === chosen ? 'secondary' : 'quiet'}
        to={`/admin?days=${days}`}
        aria-current={days === chosen ? 'true' : undefined}
        preventScrollReset
      >
        {days} days
      </LinkButton>
    ))}
  </nav>
)

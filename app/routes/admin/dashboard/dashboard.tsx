import { describeChange, parsePeriod, periods, type Period, type Sales } from '#domain/dashboard/dashboard.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { getDashboard } from '#server/dashboard/get-dashboard.ts'
import type { ReactNode } from 'react'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { Link } from '../../../render/Link.tsx'
import type { Route } from './+types/dashboard'
import { DayChart } from './DayChart.tsx'
import { drawChart } from './draw-chart.server.ts'
import { LowStock } from './LowStock.tsx'
import { money, wholeMoney } from '../frame/money.ts'
import { RecentOrders } from './RecentOrders.tsx'
import { TopMedicines } from './TopMedicines.tsx'
import { WaitingPrescriptions } from './WaitingPrescriptions.tsx'
import { SecondChecksWarning } from '../accounts/SecondChecksWarning.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'

export const loader = adminLoader('any', async (ctx, { request }: Route.LoaderArgs) => {
  const dashboard = await getDashboard(ctx, parsePeriod(new URL(request.url).searchParams.get('days')))
  const { sales } = dashboard
  return {
    dashboard,
    charts: sales && {
      revenue: drawChart(sales.perDay, ({ cents }) => cents / 100),
      orders: drawChart(sales.perDay, ({ orders }) => orders),
    },
  }
})

/** The shop's key figures (specification, "Admin area"). */
export default function DashboardPage({ loaderData }: Route.ComponentProps) {
  const { dashboard, charts } = loaderData
  const { days, sales, recentOrders, prescriptions, lowStock, outdatedLists, lacksPharmacist } = dashboard
  return (
    <AdminPage title="Dashboard" actions={sales ? <PeriodLinks selected={days} /> : null}>
      {lacksPharmacist ? <SecondChecksWarning /> : null}
      {outdatedLists > 0 ? (
        <p className="mb-4">
          <Link to={adminPaths.screeningLists} className="text-link">
            {outdatedLists === 1
              ? '1 screening list is out of date'
              : `${outdatedLists} screening lists are out of date`}
          </Link>
        </p>
      ) : null}
      {sales ? <Figures days={days} sales={sales} /> : null}
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
        {sales && charts ? (
          <>
            <DayChart
              title="Revenue"
              chart={charts.revenue}
              days={sales.perDay}
              valueOf={({ cents }) => cents / 100}
              format={(dollars) => money(dollars * 100)}
              formatTick={wholeMoney}
            />
            <DayChart
              title="Orders"
              chart={charts.orders}
              days={sales.perDay}
              valueOf={({ orders }) => orders}
              format={(count) => count.toLocaleString('en-US')}
            />
          </>
        ) : null}
        {recentOrders ? <RecentOrders orders={recentOrders} /> : null}
        {sales ? <TopMedicines medicines={sales.topMedicines} days={days} /> : null}
        {prescriptions ? <WaitingPrescriptions waiting={prescriptions} /> : null}
        {lowStock ? <LowStock lowStock={lowStock} /> : null}
      </div>
    </AdminPage>
  )
}

/** The documented figures. Each is the all-time value, with the period's value under it. */
function Figures({ days, sales }: { days: Period; sales: Sales }) {
  const { perDay, revenueCents, orders, activeProducts, pendingOrders } = sales
  const sum = (period: 'now' | 'before', name: 'cents' | 'orders'): number =>
    perDay.reduce((total, day) => total + day[period][name], 0)
  const changeIn = (name: 'cents' | 'orders'): string => {
    const change = describeChange(sum('now', name), sum('before', name))
    return change === null ? `in the last ${days} days` : `in the last ${days} days, ${change} before`
  }
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure name="Total Revenue" value={money(revenueCents)}>
        {money(sum('now', 'cents'))} {changeIn('cents')}
      </Figure>
      <Figure name="Total Orders" value={orders.toLocaleString('en-US')}>
        {sum('now', 'orders').toLocaleString('en-US')} {changeIn('orders')}
      </Figure>
      <Figure name="Active Products" value={activeProducts.toLocaleString('en-US')}>
        <Link to={adminPaths.variants} className="text-link">
          Products
        </Link>
      </Figure>
      <Figure name="Pending Orders" value={pendingOrders.toLocaleString('en-US')}>
        <Link to={adminPaths.ordersWith({ status: 'processing' })} className="text-link">
          To ship
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

const PeriodLinks = ({ selected }: { selected: number }) => (
  <nav aria-label="Period" className="tab-links">
    {periods.map((days) => (
      <Link
        key={days}
        to={adminPaths.dashboardForPeriod(days)}
        aria-current={days === selected ? 'true' : undefined}
        preventScrollReset
      >
        {days} days
      </Link>
    ))}
  </nav>
)

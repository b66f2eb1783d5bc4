import { describeChange, type DayFigures, type DayPair } from '#domain/dashboard/dashboard.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import type { Chart } from './draw-chart.server.ts'

type DayChartProps = {
  title: string
  chart: Chart
  days: readonly DayPair[]
  valueOf: (day: DayFigures) => number
  /** Formats a value, and a value on the axis. */
  format: (value: number) => string
  formatTick?: (value: number) => string
}

/**
 * A figure per day of a period and of the period before, as a chart with its table. Drawn on the
 * server without animation.
 */
export function DayChart({ title, chart, days, valueOf, format, formatTick = format }: DayChartProps) {
  const sum = (of: 'now' | 'before'): number => days.reduce((total, day) => total + valueOf(day[of]), 0)
  const [now, before] = [sum('now'), sum('before')]
  const change = describeChange(now, before)
  const first = days[0]?.now.day ?? ''
  const last = days.at(-1)?.now.day ?? ''
  return (
    <section aria-label={title} className="card min-w-0 p-4">
      <h2>{title}</h2>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <b className="text-lg tabular-nums">{format(now)}</b>
        <span className="text-muted">
          {change === null
            ? `${format(before)} in the previous ${days.length} days`
            : `${change} the previous ${days.length} days (${format(before)})`}
        </span>
      </p>
      <div className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-sm text-muted">
        <ol aria-hidden="true" className="flex flex-col justify-between tabular-nums">
          {chart.ticks.map((tick) => (
            <li key={tick} className="flex h-0 items-center justify-end">
              {formatTick(tick)}
            </li>
          ))}
        </ol>
        <svg
          role="img"
          aria-label={`${title} from ${formatDay(first)} to ${formatDay(last)}: ${format(now)} in total. The table below has each day.`}
          viewBox={`0 0 ${chart.width} ${chart.height}`}
          preserveAspectRatio="none"
          className="day-chart h-40 w-full"
        >
          {chart.ticks.map((tick, index) => {
            const y = (index / (chart.ticks.length - 1)) * chart.height
            return <line key={tick} x1="0" x2={chart.width} y1={y} y2={y} vectorEffect="non-scaling-stroke" />
          })}
          <path d={chart.area} className="fill-primary/15" />
          <path
            d={chart.before}
            vectorEffect="non-scaling-stroke"
            strokeDasharray="4 4"
            className="fill-none stroke-muted stroke-[1.5]"
          />
          <path
            d={chart.line}
            vectorEffect="non-scaling-stroke"
            strokeLinejoin="round"
            className="fill-none stroke-primary stroke-2"
          />
          {days.map(({ now, before }, index) => (
            <rect key={now.day} x={index * chart.step} width={chart.step} height={chart.height}>
              <title>{`${formatDay(now.day)}: ${format(valueOf(now))}\n${formatDay(before.day)}: ${format(valueOf(before))}`}</title>
            </rect>
          ))}
        </svg>
        <p aria-hidden="true" className="col-start-2 mt-1 flex justify-between">
          <span>{formatDay(first)}</span>
          <span>{formatDay(last)}</span>
        </p>
      </div>
      <p aria-hidden="true" className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted">
        <LegendItem className="border-primary">last {days.length} days</LegendItem>
        <LegendItem className="border-dashed border-muted">previous {days.length} days</LegendItem>
      </p>
      <Disclosure summary="Show as table" className="mt-2">
        <div
          className="max-h-72 overflow-auto"
          role="region"
          aria-label={`${title}, table`}
          // Keyboard users must be able to scroll it (axe, "scrollable-region-focusable").
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          <table className="day-table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">{title}</th>
                <th scope="col">Previous</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map(({ now, before }) => (
                <tr key={now.day}>
                  <th scope="row">{formatDay(now.day)}</th>
                  <td>{format(valueOf(now))}</td>
                  <td>{formatDay(before.day)}</td>
                  <td>{format(valueOf(before))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Disclosure>
    </section>
  )
}

const LegendItem = ({ className, children }: { className: string; children: React.ReactNode }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={`inline-block w-5 border-t-2 ${className}`} />
    {children}
  </span>
)

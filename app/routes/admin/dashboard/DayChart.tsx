import { comparison, type DayFigures, type DayPair } from '#domain/dashboard/dashboard.ts'
import { dayOf } from '../../../components/orders/order-labels.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import type { Chart } from './draw-chart.server.ts'

type DayChartProps = {
  title: string
  chart: Chart
  days: readonly DayPair[]
  figure: (day: DayFigures) => number
  /** How a figure is written, and how beside the lines. */
  write: (value: number) => string
  writeTick?: (value: number) => string
}

/** A figure over a period beside the one before, as a picture with the table behind it. Drawn on the server; nothing here moves. */
export function DayChart({ title, chart, days, figure, write, writeTick = write }: DayChartProps) {
  const sum = (of: 'now' | 'before'): number => days.reduce((total, day) => total + figure(day[of]), 0)
  const [now, before] = [sum('now'), sum('before')]
  const compared = comparison(now, before)
  const first = days[0]?.now.day ?? ''
  const last = days.at(-1)?.now.day ?? ''
  return (
    <section aria-label={title} className="card min-w-0 p-4">
      <h2>{title}</h2>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <b className="text-lg tabular-nums">{write(now)}</b>
        <span className="text-muted">
          {compared === null
            ? `${write(before)} in the ${days.length} days before`
            : `${compared} than the ${write(before)} of the ${days.length} days before`}
        </span>
      </p>
      <div className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-sm text-muted">
        <ol aria-hidden="true" className="flex flex-col justify-between tabular-nums">
          {chart.ticks.map((tick) => (
            <li key={tick} className="flex h-0 items-center justify-end">
              {writeTick(tick)}
            </li>
          ))}
        </ol>
        <svg
          role="img"
          aria-label={`${title} from ${dayOf(first)} to ${dayOf(last)}: ${write(now)} in all. Each day stands in the table below.`}
          viewBox={`0 0 ${chart.width} ${chart.height}`}
          preserveAspectRatio="none"
          className="h-40 w-full"
        >
          {chart.ticks.map((tick, at) => {
            const y = (at / (chart.ticks.length - 1)) * chart.height
            return (
              <line
                key={tick}
                x1="0"
                x2={chart.width}
                y1={y}
                y2={y}
                vectorEffect="non-scaling-stroke"
                className="stroke-line"
              />
            )
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
          {days.map(({ now, before }, at) => (
            <rect
              key={now.day}
              x={at * chart.step}
              width={chart.step}
              height={chart.height}
              className="fill-transparent hover:fill-base-content/10"
            >
              <title>{`${dayOf(now.day)}: ${write(figure(now))}\n${dayOf(before.day)}: ${write(figure(before))}`}</title>
            </rect>
          ))}
        </svg>
        <p aria-hidden="true" className="col-start-2 mt-1 flex justify-between">
          <span>{dayOf(first)}</span>
          <span>{dayOf(last)}</span>
        </p>
      </div>
      <p aria-hidden="true" className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted">
        <Mark className="border-primary">these {days.length} days</Mark>
        <Mark className="border-dashed border-muted">the {days.length} before</Mark>
      </p>
      <Disclosure summary="As a table" className="mt-2">
        <div
          className="max-h-72 overflow-auto"
          role="region"
          aria-label={`${title}, table`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be reached by the keyboard (axe, "scrollable-region-focusable").
          tabIndex={0}
        >
          <table className="w-full text-start tabular-nums">
            <thead>
              <tr>
                <Head>Day</Head>
                <Head isEnd>{title}</Head>
                <Head>Day before</Head>
                <Head isEnd>{title}</Head>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map(({ now, before }) => (
                <tr key={now.day}>
                  <th scope="row" className="text-start font-normal">
                    {dayOf(now.day)}
                  </th>
                  <td className="text-end">{write(figure(now))}</td>
                  <td className="ps-4">{dayOf(before.day)}</td>
                  <td className="text-end">{write(figure(before))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Disclosure>
    </section>
  )
}

const Mark = ({ className, children }: { className: string; children: React.ReactNode }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={`inline-block w-5 border-t-2 ${className}`} />
    {children}
  </span>
)

const Head = ({ isEnd = false, children }: { isEnd?: boolean; children: string }) => (
  <th
    scope="col"
    className={`sticky top-0 bg-base-100 font-semibold ${isEnd ? 'text-end' : 'text-start first:ps-0 [&:nth-child(3)]:ps-4'}`}
  >
    {children}
  </th>
)

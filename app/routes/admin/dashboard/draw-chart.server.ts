import type { DayPair } from '#domain/dashboard/dashboard.ts'
import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'

/** A drawn chart: SVG paths in a box of `width` by `height`, which the page stretches. */
export type Chart = {
  width: number
  height: number
  area: string
  line: string
  before: string
  /** Axis values from the top down, evenly spaced; the last is zero. */
  ticks: number[]
  /** The width of one day's hover area. */
  step: number
}

const width = 600
const height = 160

/**
 * Draws a value per day over that of the period before. On the server, so that no page loads d3.
 */
export function drawChart(days: readonly DayPair[], valueOf: (day: DayPair['now']) => number): Chart {
  // Counts are whole numbers: with a maximum below four, grid lines would fall between them.
  const max = Math.max(4, ...days.flatMap(({ now, before }) => [valueOf(now), valueOf(before)]))
  const y = scaleLinear().domain([0, max]).nice(4).range([height, 0])
  const step = width / days.length
  const x = (_: number, index: number): number => round((index + 0.5) * step)
  const values = days.map(({ now }) => valueOf(now))
  const linePath = line<number>()
    .x(x)
    .y((value) => round(y(value)))
  return {
    width,
    height,
    area:
      area<number>()
        .x(x)
        .y0(height)
        .y1((value) => round(y(value)))(values) ?? '',
    line: linePath(values) ?? '',
    before: linePath(days.map(({ before }) => valueOf(before))) ?? '',
    ticks: y.ticks(4).toReversed(),
    step,
  }
}

const round = (value: number): number => Math.round(value * 10) / 10

import type { DayPair } from '#domain/dashboard/dashboard.ts'
import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'

/** A chart as it is drawn: paths in a box of `width` by `height`, which the page stretches. */
export type Chart = {
  width: number
  height: number
  area: string
  line: string
  before: string
  /** From the top down, as far from each other each; the last is zero. */
  ticks: number[]
  /** A stripe a day, to rest on. */
  step: number
}

const width = 600
const height = 160

/** Draws a figure of each day over that of the period before. Here, so that no page loads what draws. */
export function drawChart(days: readonly DayPair[], figure: (day: DayPair['now']) => number): Chart {
  // Counts are whole: of less than four there would be lines between them.
  const most = Math.max(4, ...days.flatMap(({ now, before }) => [figure(now), figure(before)]))
  const y = scaleLinear().domain([0, most]).nice(4).range([height, 0])
  const step = width / days.length
  const x = (_: number, index: number): number => round((index + 0.5) * step)
  const values = days.map(({ now }) => figure(now))
  const drawn = line<number>()
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
    line: drawn(values) ?? '',
    before: drawn(days.map(({ before }) => figure(before))) ?? '',
    ticks: y.ticks(4).toReversed(),
    step,
  }
}

const round = (value: number): number => Math.round(value * 10) / 10

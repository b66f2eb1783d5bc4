import { spawnSync } from 'node:child_process'
import { z } from 'zod'
import type { TableRow } from './goals.ts'

const weightsSchema = z.array(z.object({ name: z.string(), size: z.number() }))
const goals = { 'the home page': 125, 'the product page': 130, checkout: 140, 'an admin grid': 190 }

/** The compressed JavaScript of the built shop's pages (quality, "Weight of a page"). */
export function readPageWeights(): TableRow[] {
  // It exits 1 when a budget is exceeded, which is then in the table.
  const { stdout } = spawnSync('npx', ['size-limit', '--json'], { encoding: 'utf8' })
  const weights = weightsSchema.parse(JSON.parse(stdout))
  return Object.entries(goals).map(([part, atMost]) => {
    const weight = weights.find(({ name }) => name.startsWith(`JavaScript of ${part}`))
    if (!weight) throw new Error(`There is no size budget for ${part}.`)
    const goal = { kind: 'amount', atMost } as const
    return { work: `JavaScript of ${part}, gzip`, unit: 'kB', ours: weight.size / 1000, goal }
  })
}

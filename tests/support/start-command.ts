import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageSchema = z.object({ scripts: z.object({ start: z.string(), 'catalog:import': z.string() }) })
const { scripts } = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')))

/** The words of `npm start`, which every way to start the shop repeats: `node`, options, script. */
export const startCommand: readonly string[] = scripts.start.split(' ')

/** The same of `npm run catalog:import`: `tsx`, options of Node, script. */
export const importCommand: readonly string[] = scripts['catalog:import'].split(' ')

/** What every deployment sets for the process, besides the shop's own variables. */
export const processEnv = { NODE_ENV: 'production', MALLOC_ARENA_MAX: '1' } as const

import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageSchema = z.object({ scripts: z.object({ start: z.string() }) })

/** The words of `npm start`, which every way to start the shop repeats: `node`, options, script. */
export const startCommand: readonly string[] = packageSchema
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  .scripts.start.split(' ')

/** What every deployment sets for the process, besides the shop's own variables. */
export const processEnv = { NODE_ENV: 'production', MALLOC_ARENA_MAX: '1' } as const

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { runStep, runSteps, type StepResult } from './run-steps.ts'

/** `npm run check`: everything that can be known without running the shop, the `check:…` scripts of package.json. */
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const steps = Object.entries(scripts)
  .filter(([name]) => name.startsWith('check:'))
  .map(([name, command]) => ({ name: name.slice('check:'.length), command }))

function tell({ name, ok, output, seconds }: StepResult): void {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(5)} s`)
  if (!ok) console.log(`${output}\n`)
}

// The types of the routes are made first: the others read them.
const typegen = await runStep({ name: 'typegen', command: 'react-router typegen' })
tell(typegen)
const results = typegen.ok ? await runSteps(steps, tell) : [typegen]
if (results.some((result) => !result.ok)) process.exitCode = 1

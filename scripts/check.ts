import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { runStep, runSteps, type StepResult } from './run-steps.ts'

/**
 * `npm run check`: every `check:…` script of package.json but `check:deploy`, which needs programs
 * that npm does not bring. None of them runs the shop.
 */
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const steps = Object.entries(scripts)
  .filter(([name]) => name.startsWith('check:') && name !== 'check:deploy')
  .map(([name, command]) => ({ name: name.slice('check:'.length), command }))

function printResult({ name, ok, output, seconds }: StepResult): void {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(5)} s`)
  if (!ok) console.log(`${output}\n`)
}

// Route types first: the other steps read them.
const typegen = await runStep({ name: 'typegen', command: 'react-router typegen' })
printResult(typegen)
const results = typegen.ok ? await runSteps(steps, printResult) : [typegen]
if (results.some((result) => !result.ok)) process.exitCode = 1

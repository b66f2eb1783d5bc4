import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** `command` is a shell command, as in the scripts of package.json. */
export type Step = { name: string; command: string }
export type StepResult = { name: string; ok: boolean; output: string; seconds: number }

/**
 * A step has one processor. The compiler and the linter are programs in Go: with more threads, and
 * with Go's usual garbage collection, they take half as much CPU time again.
 */
const goEnv = { GOMAXPROCS: '1', GOGC: '400' }

/** Runs one command with the installed programs on its PATH and captures its output. */
export async function runStep({ name, command }: Step): Promise<StepResult> {
  const started = performance.now()
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...goEnv, PATH: `node_modules/.bin:${process.env['PATH'] ?? ''}` },
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const seconds = (performance.now() - started) / 1000
  return { name, ok: code === 0, output: Buffer.concat(chunks).toString('utf8').trim(), seconds }
}

/** Runs the steps in parallel, one per processor, and reports each when it ends. */
export async function runSteps(
  steps: readonly Step[],
  report: (result: StepResult) => void,
): Promise<StepResult[]> {
  const waiting = [...steps]
  const results: StepResult[] = []
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const result = await runStep(step)
      report(result)
      results.push(result)
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), steps.length) }, worker))
  return results
}

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** `command` is a line of package.json's scripts. */
export type Step = { name: string; command: string }
export type StepResult = { name: string; ok: boolean; output: string; seconds: number }

/** Runs one command with the installed programs on its path; what it says is kept. */
export async function runStep({ name, command }: Step): Promise<StepResult> {
  const started = performance.now()
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `node_modules/.bin:${process.env['PATH'] ?? ''}` },
  })
  const said: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const seconds = (performance.now() - started) / 1000
  return { name, ok: code === 0, output: Buffer.concat(said).toString('utf8').trim(), seconds }
}

/** Runs the steps side by side, as many as there are processors, and tells of each as it ends. */
export async function runSteps(
  steps: readonly Step[],
  tell: (result: StepResult) => void,
): Promise<StepResult[]> {
  const waiting = [...steps]
  const results: StepResult[] = []
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const result = await runStep(step)
      tell(result)
      results.push(result)
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), steps.length) }, worker))
  return results
}

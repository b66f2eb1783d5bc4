import { findPostgres } from '#tests/support/postgres.ts'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { calibrationSeconds } from './calibrate.ts'
import { readPlaywrightReport, readVitestReport, type Report } from './test-reports.ts'

/**
 * `npm test`: the checks, the build, every test on both engines, the browser and the size budgets.
 * Prints the seconds of each suite and of the slowest tests, and ends with `N passed, N failed`.
 * `npm run test:nightly` is the same with every trial of the fault tests, every generated request,
 * Lighthouse on every page, and the mutation score.
 */
const { values: options } = parseArgs({ options: { nightly: { type: 'boolean', default: false } } })

type Suite = {
  name: string
  command: readonly string[]
  /** The suites that must end before this one starts. */
  after?: readonly string[]
  readReport?: (file: string) => Report
}
type Result = Report & { name: string; seconds: number }

/**
 * The two large suites run one after the other, because each keeps two processors busy. Side by
 * side, they took about a quarter more CPU time.
 */
const suites: readonly Suite[] = [
  { name: 'build', command: ['react-router', 'build'] },
  { name: 'check', command: ['tsx', 'scripts/check.ts'] },
  {
    name: 'vitest',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json'],
    after: ['build'],
    readReport: readVitestReport,
  },
  {
    name: 'playwright',
    command: ['playwright', 'test', '--reporter=list,json'],
    after: ['vitest'],
    readReport: readPlaywrightReport,
  },
  { name: 'size', command: ['size-limit'], after: ['build'] },
]

/** Keeps two processors busy for 20 minutes. */
const nightlySuites: readonly Suite[] = [
  { name: 'mutation', command: ['tsx', 'tests/mutation/run.ts'], after: ['playwright'] },
]

const suitesAtOnce = 2
const slowestShown = 20

const folder = mkdtempSync(join(tmpdir(), 'meridian-reports-'))
const noReport: Report = { passed: 0, failed: 0, failures: [], tests: [], parts: new Map() }

/** Suites run side by side, so each line starts with the name of its suite. */
function printLines(name: string, output: Readable): void {
  createInterface({ input: output }).on('line', (line) => console.log(`${name.padEnd(10)} │ ${line}`))
}

async function run({ name, command, readReport }: Suite, databaseUrl: string): Promise<Result> {
  const started = performance.now()
  const file = join(folder, `${name}.json`)
  const [program = '', ...args] = command
  const child = spawn(program, name === 'vitest' ? [...args, `--outputFile.json=${file}`] : args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `node_modules/.bin:${process.env['PATH'] ?? ''}`,
      TEST_DATABASE_URL: databaseUrl,
      TEST_NIGHTLY: options.nightly ? '1' : '',
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    },
  })
  printLines(name, child.stdout)
  printLines(name, child.stderr)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const seconds = (performance.now() - started) / 1000
  const report = readReport && existsSync(file) ? readReport(file) : noReport
  // A suite can fail without a failed test: a type error, a hook, a crash. That is one failure.
  const failed = code === 0 ? report.failed : Math.max(report.failed, 1)
  return { ...report, name, failed, seconds }
}

/** Runs the suites in order, some in parallel, each as soon as those in `after` have ended. */
async function runAll(databaseUrl: string): Promise<Result[]> {
  const waiting = [...suites, ...(options.nightly ? nightlySuites : [])]
  const running = new Map<string, Promise<void>>()
  const results: Result[] = []
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(({ after = [] }) =>
      after.every((name) => results.some((result) => result.name === name)),
    )
    if (next === -1 || running.size >= suitesAtOnce) {
      await Promise.race(running.values())
      continue
    }
    for (const suite of waiting.splice(next, 1)) {
      const ended = run(suite, databaseUrl).then((result) => {
        results.push(result)
        running.delete(suite.name)
      })
      running.set(suite.name, ended)
    }
  }
  return results
}

const inSeconds = (seconds: number, width = 6): string => `${seconds.toFixed(1).padStart(width)} s`

function printResult({ name, passed, failed, failures, seconds, tests, parts }: Result): void {
  const counts = tests.length > 0 ? `  ${passed} passed, ${failed} failed` : ''
  console.log(`${failed ? 'FAILED' : 'ok    '} ${name.padEnd(12)} ${inSeconds(seconds)}${counts}`)
  const slowParts = [...parts].toSorted(([, a], [, b]) => b - a).slice(0, 7)
  if (slowParts.length > 0) {
    const sums = slowParts.map(([part, sum]) => `${part} ${sum.toFixed(0)}`).join(', ')
    console.log(`         seconds in tests: ${sums}`)
  }
  for (const failure of failures) console.log(`         ${failure}`)
}

const started = performance.now()
const calibration = calibrationSeconds()
const postgres = await findPostgres()
try {
  const results = await runAll(postgres.url)
  console.log('\nSlowest tests')
  const tests = results.flatMap(({ tests }) => tests).toSorted((a, b) => b.seconds - a.seconds)
  for (const { name, seconds } of tests.slice(0, slowestShown)) console.log(`${inSeconds(seconds)}  ${name}`)
  console.log()
  for (const result of results) printResult(result)
  const total = (performance.now() - started) / 1000
  console.log(
    `\n${total.toFixed(0)} s in all; the calibration loop took ${calibration.toFixed(2)} s of CPU time`,
  )
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  if (failed > 0 || passed === 0) process.exitCode = 1
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

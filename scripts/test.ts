import { findPostgres } from '#tests/support/postgres.ts'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

/**
 * `npm test`: the checks, the build, every test on both engines, the browser and the size budgets. Ends with the
 * seconds of each suite and one line, `N passed, N failed`.
 */
type Count = { passed: number; failed: number }
type Suite = { name: string; command: readonly string[]; count?: (reportFile: string) => Count }

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
})
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** A skipped test proves nothing and a flaky one no more, so both count as failed. */
const suites: readonly Suite[] = [
  { name: 'check', command: ['tsx', 'scripts/check.ts'] },
  { name: 'build', command: ['react-router', 'build'] },
  {
    name: 'vitest',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json'],
    count: (file) => {
      const { numPassedTests, numFailedTests, numPendingTests } = vitestReport.parse(readJson(file))
      return { passed: numPassedTests, failed: numFailedTests + numPendingTests }
    },
  },
  {
    name: 'playwright',
    command: ['playwright', 'test', '--reporter=dot,json'],
    count: (file) => {
      const { expected, unexpected, flaky, skipped } = playwrightReport.parse(readJson(file)).stats
      return { passed: expected, failed: unexpected + flaky + skipped }
    },
  },
  { name: 'size', command: ['size-limit'] },
]

const folder = mkdtempSync(join(tmpdir(), 'meridian-reports-'))

async function run(
  { name, command, count }: Suite,
  databaseUrl: string,
): Promise<Count & { seconds: number }> {
  console.log(`\n── ${name}`)
  const started = performance.now()
  const report = join(folder, `${name}.json`)
  const [program = '', ...args] = command
  const child = spawn(program, name === 'vitest' ? [...args, `--outputFile.json=${report}`] : args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PATH: `node_modules/.bin:${process.env['PATH'] ?? ''}`,
      TEST_DATABASE_URL: databaseUrl,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    },
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const seconds = (performance.now() - started) / 1000
  const { passed, failed } = count && existsSync(report) ? count(report) : { passed: 0, failed: 0 }
  // What ended badly without a failed test of its own (a type error, a hook, a crash) is one failure.
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1), seconds }
}

const postgres = await findPostgres()
const total = { passed: 0, failed: 0 }
const lines: string[] = []
try {
  for (const suite of suites) {
    const { passed, failed, seconds } = await run(suite, postgres.url)
    total.passed += passed
    total.failed += failed
    lines.push(
      `${failed ? 'FAILED' : 'ok    '} ${suite.name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s` +
        (suite.count ? `  ${passed} passed, ${failed} failed` : ''),
    )
  }
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${lines.join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
if (total.failed > 0 || total.passed === 0) process.exitCode = 1

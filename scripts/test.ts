import { findPostgres } from '#tests/support/postgres.ts'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

/**
 * `npm test`: the checks, the build, every test on both engines, the browser and the size budgets. Ends with the
 * seconds of each suite and one line, `N passed, N failed`.
 */
type Count = { passed: number; failed: number; /** The names of what failed. */ names: string[] }
type Suite = { name: string; command: readonly string[]; count?: (reportFile: string) => Count }

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
})
const playwrightError = z.object({
  message: z.string().default('unknown'),
  location: z.object({ line: z.number() }).optional(),
})
const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  ok: z.boolean(),
  tests: z.array(z.object({ results: z.array(z.object({ errors: z.array(playwrightError) })) })),
})
type PlaywrightSuite = { specs: z.infer<typeof playwrightSpec>[]; suites?: PlaywrightSuite[] | undefined }
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({ specs: z.array(playwrightSpec), suites: z.array(playwrightSuite).optional() }),
)
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite),
  /** What failed outside of any test: a worker that could not be put away. */
  errors: z.array(playwrightError),
})

const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, 300) ?? ''

/** What was expected and what was there stand on the lines after the first, in colours. */
const reasonOf = ({ message, location }: z.infer<typeof playwrightError>): string => {
  const lines = stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, 6)
  return `${location ? `line ${location.line}: ` : ''}${lines.join(' · ').slice(0, 600)}`
}
const failedSpecs = ({ specs, suites = [] }: PlaywrightSuite): string[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .flatMap(({ file, line, title, tests }) => [
      `${file}:${line} ${title}`,
      ...tests.flatMap(({ results }) => results).flatMap(({ errors }) => errors.map(reasonOf)),
    ]),
  ...suites.flatMap(failedSpecs),
]
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** A skipped test proves nothing and a flaky one no more, so both count as failed. */
const suites: readonly Suite[] = [
  { name: 'check', command: ['tsx', 'scripts/check.ts'] },
  { name: 'build', command: ['react-router', 'build'] },
  {
    name: 'vitest',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json'],
    count: (file) => {
      const { numPassedTests, numFailedTests, numPendingTests, testResults } = vitestReport.parse(
        readJson(file),
      )
      const names = testResults.flatMap(({ name, status, message, assertionResults }) => {
        const failed = assertionResults.filter(({ status }) => status !== 'passed')
        if (failed.length === 0)
          return status === 'passed' ? [] : [`${relative('.', name)}: ${firstLine(message)}`]
        return failed.map(
          ({ fullName, failureMessages }) =>
            `${relative('.', name)} ${fullName}: ${firstLine(failureMessages[0] ?? '')}`,
        )
      })
      return { passed: numPassedTests, failed: numFailedTests + numPendingTests, names }
    },
  },
  {
    name: 'playwright',
    command: ['playwright', 'test', '--reporter=dot,json'],
    count: (file) => {
      const { stats, suites, errors } = playwrightReport.parse(readJson(file))
      return {
        passed: stats.expected,
        failed: stats.unexpected + stats.flaky + stats.skipped,
        names: [...suites.flatMap(failedSpecs), ...errors.map(reasonOf)],
      }
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
  const { passed, failed, names } =
    count && existsSync(report) ? count(report) : { passed: 0, failed: 0, names: [] }
  // What ended badly without a failed test of its own (a type error, a hook, a crash) is one failure.
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1), names, seconds }
}

const postgres = await findPostgres()
const total = { passed: 0, failed: 0 }
const lines: string[] = []
try {
  for (const suite of suites) {
    const { passed, failed, names, seconds } = await run(suite, postgres.url)
    total.passed += passed
    total.failed += failed
    lines.push(
      `${failed ? 'FAILED' : 'ok    '} ${suite.name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s` +
        (suite.count ? `  ${passed} passed, ${failed} failed` : ''),
      // Said once more at the end, where whoever looks at the last lines of a long log finds it.
      ...names.map((name) => `         ${name}`),
    )
  }
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${lines.join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
if (total.failed > 0 || total.passed === 0) process.exitCode = 1

import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

export type TimedTest = { name: string; seconds: number }
export type Report = {
  passed: number
  failed: number
  /** Each failed test, followed by its reason. */
  failures: string[]
  tests: TimedTest[]
  /** The seconds that the tests of each part took, waiting included. */
  parts: Map<string, number>
}

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
        z.object({
          fullName: z.string(),
          status: z.string(),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
})
type VitestFile = z.infer<typeof vitestReport>['testResults'][number]

const playwrightError = z.object({
  message: z.string().default('unknown'),
  location: z.object({ line: z.number() }).optional(),
})
const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  ok: z.boolean(),
  tests: z.array(
    z.object({ results: z.array(z.object({ duration: z.number(), errors: z.array(playwrightError) })) }),
  ),
})
type PlaywrightSpec = z.infer<typeof playwrightSpec>
type PlaywrightSuite = { specs: PlaywrightSpec[]; suites?: PlaywrightSuite[] | undefined }
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({ specs: z.array(playwrightSpec), suites: z.array(playwrightSuite).optional() }),
)
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite),
  /** Failures outside of any test, such as a worker that did not stop. */
  errors: z.array(playwrightError),
})

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, 300) ?? ''

function sumByPart(tests: readonly (TimedTest & { part: string })[]): Map<string, number> {
  const parts = new Map<string, number>()
  for (const { part, seconds } of tests) parts.set(part, (parts.get(part) ?? 0) + seconds)
  return parts
}

function failuresOf({ name, status, message, assertionResults }: VitestFile): string[] {
  const file = relative('.', name)
  const failed = assertionResults.filter(({ status }) => status !== 'passed')
  if (failed.length === 0) return status === 'passed' ? [] : [`${file}: ${firstLine(message)}`]
  return failed.map(
    ({ fullName, failureMessages }) => `${file} ${fullName}: ${firstLine(failureMessages[0] ?? '')}`,
  )
}

/** A skipped test proves nothing, so it counts as failed. */
export function readVitestReport(file: string): Report {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = vitestReport.parse(readJson(file))
  const tests = testResults.flatMap(({ name, assertionResults }) => {
    const path = relative('tests', name)
    const part = path.split('/', 1)[0] ?? ''
    return assertionResults.map(({ fullName, duration }) => ({
      part,
      name: `${path} ${fullName}`,
      seconds: (duration ?? 0) / 1000,
    }))
  })
  return {
    passed: numPassedTests,
    failed: numFailedTests + numPendingTests,
    failures: testResults.flatMap(failuresOf),
    tests,
    parts: sumByPart(tests),
  }
}

/** The expected and the received value are on the lines after the first, in colors. */
function reasonOf({ message, location }: z.infer<typeof playwrightError>): string {
  const lines = stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, 6)
  return `${location ? `line ${location.line}: ` : ''}${lines.join(' · ').slice(0, 600)}`
}

const specsOf = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSpec[] => [
  ...specs,
  ...suites.flatMap(specsOf),
]

/** A flaky test proves as little as a skipped one, so both count as failed. */
export function readPlaywrightReport(file: string): Report {
  const { stats, suites, errors } = playwrightReport.parse(readJson(file))
  const specs = suites.flatMap(specsOf)
  const tests = specs.map((spec) => ({
    part: spec.file.replace(/\.test\.ts$/, ''),
    name: `${spec.file}:${spec.line} ${spec.title}`,
    seconds:
      spec.tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0) / 1000,
  }))
  const failures = specs
    .filter(({ ok }) => !ok)
    .flatMap(({ file, line, title, tests }) => [
      `${file}:${line} ${title}`,
      ...tests.flatMap(({ results }) => results).flatMap(({ errors }) => errors.map(reasonOf)),
    ])
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped,
    failures: [...failures, ...errors.map(reasonOf)],
    tests,
    parts: sumByPart(tests),
  }
}

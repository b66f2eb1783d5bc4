import { Stryker } from '@stryker-mutator/core'
import { readArguments } from '#tests/support/read-arguments.ts'
import { areas } from './areas.ts'

/**
 * `npm run test:mutation`: changes the rules one place at a time and runs the tests that reach it.
 * A change that no test notices survives. Exits 1 if the tests notice less than 85 % of the changes
 * of an area. The report, with every survivor, is data/mutation/report.html.
 */
const leastScore = 85

type AreaName = keyof typeof areas
const isArea = (name: string): name is AreaName => Object.hasOwn(areas, name)

const usage = 'npm run test:mutation -- [AREA…]'
const { positionals } = readArguments(usage, { allowPositionals: true })
const unknown = positionals.filter((name) => !isArea(name))
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}. There are ${Object.keys(areas).join(', ')}.`)
const wanted = positionals.length > 0 ? positionals.filter(isArea) : Object.keys(areas).filter(isArea)

const filesOf = (area: AreaName): string[] => areas[area].map((name) => `server/domain/${name}.ts`)

const mutants = await new Stryker({
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'tests/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  mutate: wanted.flatMap(filesOf),
  // Tests read most folders, but none of these.
  ignorePatterns: ['/app', '/build', '/data', '/docs', '/public'],
  tempDirName: 'data/mutation/sandbox',
  reporters: ['html', 'json', 'progress-append-only'],
  htmlReporter: { fileName: 'data/mutation/report.html' },
  jsonReporter: { fileName: 'data/mutation/report.json' },
}).runMutationTest()

for (const area of wanted) {
  const files = filesOf(area)
  const own = mutants.filter(({ fileName }) => files.some((file) => fileName.endsWith(file)))
  const count = (...statuses: readonly string[]): number =>
    own.filter(({ status }) => statuses.includes(status)).length
  const [found, missed] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage')]
  const score = (100 * found) / (found + missed)
  console.log(
    `${area.padEnd(12)} ${score.toFixed(1).padStart(5)} %  ${found} of ${found + missed} changes noticed`,
  )
  if (!(score >= leastScore)) process.exitCode = 1
}

import { deployFileFaults } from './deploy-files.ts'
import { lintFaults } from './deploy-lint.ts'
import { programLints } from './deploy-programs.ts'

/**
 * `npm run check:deploy`: lints deploy/ with npm packages and with programs of Debian. With `--npm`
 * it is the part that `npm run check` runs.
 */
const folder = 'deploy'
const programs = process.argv.includes('--npm') ? [] : programLints
const lints = [
  { name: 'npm packages', faults: () => deployFileFaults(folder) },
  ...programs.map((lint) => ({ name: lint.program, faults: () => lintFaults(lint, folder) })),
]
for (const { name, faults } of lints) {
  const found = await faults()
  console.log(`${found.length === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  for (const fault of found) console.log(fault)
  if (found.length > 0) process.exitCode = 1
}

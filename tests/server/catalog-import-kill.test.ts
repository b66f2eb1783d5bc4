import { startCommand, type CommandResult } from '#tests/support/commands.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { samples, snapshot, temporaryFile } from './catalog-import-support.ts'

type ImportResult = CommandResult & { folder: string }

/** The first lines of each directory: long enough to kill the import at every stage. */
const files = (['ndc', 'dpd', 'upc', 'nadac'] as const).flatMap((kind) => {
  const lines = readFileSync(samples[kind], 'utf8').split('\n').slice(0, 251)
  return [`--${kind}`, temporaryFile(basename(samples[kind]), `${lines.join('\n')}\n`)]
})

/**
 * Runs `npm run catalog:import` in a folder of its own, and kills it when its progress matches
 * `killAt`.
 */
async function runImport(url: string, args: readonly string[], killAt?: RegExp): Promise<ImportResult> {
  const parent = mkdtempSync(join(tmpdir(), 'meridian-script-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const [folder, TMPDIR] = [join(parent, 'release'), join(parent, 'temporary')] as const
  for (const path of [folder, TMPDIR]) mkdirSync(path)
  const env = { DATABASE_URL: url, TMPDIR }
  const { child, ended } = startCommand('catalog-import', { args, cwd: folder, env })
  let progress = ''
  child.stderr.on('data', (text) => {
    progress += text
    if (killAt?.test(progress)) child.kill('SIGKILL')
  })
  return { ...(await ended), folder }
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

eachEngine((_, __, openWithUrl) => {
  test(
    'an import killed while reading or updating products gives the same result when it runs again',
    { timeout: 120_000 },
    async () => {
      const unbroken = await openWithUrl()
      const finished = await runImport(unbroken.url, [...files, '--stock', '9'])
      expect(finished).toMatchObject({ code: 0 })
      expect(lastLine(finished.out)).toMatch(
        /^read=1000 added=\d+ changed=\d+ unchanged=\d+ rejected=0 file=\S+$/,
      )
      const expected = await snapshot(unbroken.db)

      const broken = await openWithUrl()
      let kills = 0
      for (const killAt of [/ndc-sample/, /dpd-sample/, /nadac/, /products: \d/, /search: \d/]) {
        const killed = await runImport(broken.url, [...files, '--stock', '9'], killAt)
        // It may finish before the signal arrives.
        if (killed.signal === 'SIGKILL') kills++
      }
      expect(kills).toBeGreaterThan(2)
      expect(await runImport(broken.url, [...files, '--stock', '9'])).toMatchObject({ code: 0 })
      expect(await snapshot(broken.db)).toEqual(expected)
    },
  )

  test('the command lists rejected rows and reports errors in one line', { timeout: 60_000 }, async () => {
    const { url } = await openWithUrl()
    const file = temporaryFile(
      'odd.tsv',
      readFileSync(samples.dpd, 'utf8').split('\n').slice(0, 3).join('\n') + '\nnothing\n',
    )
    const taken = await runImport(url, ['--dpd', file])
    expect(taken.code).toBe(0)
    const [, path = ''] =
      /^read=3 added=2 changed=0 unchanged=0 rejected=1 file=(.+)$/.exec(lastLine(taken.out)) ?? []
    // A release's folder, in which the command runs, belongs to another user.
    expect(readdirSync(taken.folder)).toEqual([])
    expect(readFileSync(path, 'utf8')).toBe(
      `file\tline\treason\n${file}\t4\tthe line has 1 columns, product_type is missing\n`,
    )
    for (const [args, message] of [
      [['--dpd', '/nowhere.tsv'], '/nowhere.tsv cannot be imported: ENOENT'],
      [['--dpd', file, '--stock', '-1'], '--stock'],
      [[], 'Usage: npm run catalog:import'],
    ] as const) {
      const refused = await runImport(url, args)
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.err).toContain(message)
      expect(refused.err).not.toMatch(/ at .*\.[jt]s:\d/)
    }
  })
})

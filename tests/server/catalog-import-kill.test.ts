import { eachEngine } from '#tests/support/engines.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { samples, snapshot, temporaryFile } from './catalog-import-support.ts'

type Ended = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string; folder: string }

const files = [
  '--ndc',
  samples.ndc,
  '--dpd',
  samples.dpd,
  '--upc',
  samples.upc,
  '--nadac',
  samples.nadac,
].map((word) => (word.startsWith('--') ? word : resolve(word)))

/** Runs `npm run catalog:import` as it is started, and kills it when its progress says this. */
async function runScript(url: string, words: readonly string[], killAt?: RegExp): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-script-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), resolve('scripts/catalog-import.ts'), ...words],
    { cwd: folder, env: { ...process.env, DATABASE_URL: url }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let out = ''
  let err = ''
  child.stdout?.on('data', (text) => (out += text))
  child.stderr?.on('data', (text) => {
    err += text
    if (killAt?.test(err)) child.kill('SIGKILL')
  })
  const [code, signal] = await once(child, 'close')
  return { code, signal, out, err, folder }
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

eachEngine((_, __, openWithUrl) => {
  test(
    'killed while it reads and while it settles, run again it ends as an unbroken run',
    { timeout: 120_000 },
    async () => {
      const unbroken = await openWithUrl()
      const finished = await runScript(unbroken.url, [...files, '--stock', '9'])
      expect(finished).toMatchObject({ code: 0 })
      expect(lastLine(finished.out)).toMatch(
        /^read=2887 added=\d+ changed=\d+ unchanged=\d+ rejected=0 file=\S+$/,
      )
      const wanted = await snapshot(unbroken.db)

      const broken = await openWithUrl()
      let kills = 0
      for (const killAt of [/ndc-sample/, /dpd-sample/, /nadac/, /products: \d/, /search: \d/]) {
        const killed = await runScript(broken.url, [...files, '--stock', '9'], killAt)
        // It may be done before the signal comes.
        if (killed.signal === 'SIGKILL') kills++
      }
      expect(kills).toBeGreaterThan(2)
      expect(await runScript(broken.url, [...files, '--stock', '9'])).toMatchObject({ code: 0 })
      expect(await snapshot(broken.db)).toEqual(wanted)
    },
  )

  test(
    'the command names what it rejects, and says what it cannot do in one line',
    { timeout: 60_000 },
    async () => {
      const { url } = await openWithUrl()
      const file = temporaryFile(
        'odd.tsv',
        readFileSync(samples.dpd, 'utf8').split('\n').slice(0, 3).join('\n') + '\nnothing\n',
      )
      const taken = await runScript(url, ['--dpd', file])
      expect(taken.code).toBe(0)
      const [, path = ''] =
        /^read=3 added=2 changed=0 unchanged=0 rejected=1 file=(.+)$/.exec(lastLine(taken.out)) ?? []
      const report = join(taken.folder, path)
      expect(existsSync(report)).toBe(true)
      expect(readFileSync(report, 'utf8')).toBe(
        `file\tline\treason\n${file}\t4\tthe line has 1 columns, product_type is missing\n`,
      )
      for (const [words, message] of [
        [['--dpd', '/nowhere.tsv'], '/nowhere.tsv cannot be imported: ENOENT'],
        [['--dpd', file, '--stock', '-1'], '--stock'],
        [[], 'Usage: npm run catalog:import'],
      ] as const) {
        const refused = await runScript(url, words)
        expect(refused).toMatchObject({ code: 1, out: '' })
        expect(refused.err).toContain(message)
        expect(refused.err).not.toMatch(/ at .*\.ts:\d/)
      }
    },
  )
})

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const configuration = [
  '.dependency-cruiser.cjs',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  'knip.json',
  'package.json',
  'tsconfig.json',
]

/** Runs a program on a small project that has our configuration and these files. */
function runOn(
  files: Record<string, string>,
  program: string,
  ...args: string[]
): { ok: boolean; output: string } {
  const root = mkdtempSync(join(tmpdir(), 'meridian-tools-'))
  try {
    for (const name of configuration) copyFileSync(name, join(root, name))
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const { status, stdout, stderr } = spawnSync(resolve('node_modules/.bin', program), args, {
      cwd: root,
      encoding: 'utf8',
    })
    return { ok: status === 0, output: stdout + stderr }
  } finally {
    rmSync(root, { recursive: true })
  }
}

const importing = (path: string): string => `import { value } from '${path}'\n\nexport const other = value\n`
const target = 'export const value = 1\n'

test('an import in the wrong direction fails the check', () => {
  const { ok, output } = runOn(
    {
      'server/a.ts': importing('./b.ts'),
      'server/b.ts': "import { other } from './a.ts'\n\nexport const value = () => other\n",
      'server/lost.ts': importing('./missing.ts'),
      'server/orders/sealed-order.ts': target,
      'server/orders/list.ts': importing('../accounts/names.ts'),
      'server/accounts/names.ts': target,
      'server/accounts/export.ts': importing('../orders/sealed-order.ts'),
      'app/routes/sealed.ts': importing('#server/orders/sealed-order.ts'),
      'server/domain/impure.ts': importing('#db/target.ts'),
      'server/page.ts': importing('#app/http/target.ts'),
      'server/tested.ts': importing('#tests/target.ts'),
      'server/dev.ts': "import fc from 'fast-check'\n\nexport const value = fc\n",
      'db/up.ts': importing('#server/dev.ts'),
      'migrations/0001-a.ts': importing('#db/target.ts'),
      'app/http/knowing.ts': importing('#server/dev.ts'),
      'app/routes/query.ts': importing('#db/target.ts'),
      'app/components/heavy.ts': "import { z } from 'zod'\n\nexport const value = z\n",
      'app/ui/medicine.ts': importing('#domain/target.ts'),
      'app/http/target.ts': target,
      'db/target.ts': target,
      'server/domain/target.ts': target,
      'tests/target.ts': target,
    },
    'depcruise',
    'app',
    'server',
    'db',
    'migrations',
    'tests',
  )
  expect(ok).toBe(false)
  const faults = [...output.matchAll(/error (\S+): (\S+)/g)].map(([, rule, path]) => `${rule}: ${path}`)
  expect(faults.toSorted()).toEqual([
    'app-runs-no-sql: app/routes/query.ts',
    'areas-import-one-way: server/accounts',
    'areas-import-one-way: server/orders',
    'areas-seal-their-own-data: server/accounts/export.ts',
    'components-stay-light: app/components/heavy.ts',
    'db-imports-only-domain: db/up.ts',
    'domain-is-pure: server/domain/impure.ts',
    'migrations-import-only-kysely: migrations/0001-a.ts',
    'no-cycles: server/a.ts',
    'only-server-files-import-server: app/http/knowing.ts',
    'only-server-seals: app/routes/sealed.ts',
    'production-imports-no-dev-packages: server/dev.ts',
    'production-imports-no-tests: server/tested.ts',
    'resolvable: server/lost.ts',
    'server-imports-no-app: server/page.ts',
    'ui-is-domain-free: app/ui/medicine.ts',
  ])
})

test('imports in the right direction pass', () => {
  const files = {
    'server/domain/a.ts': "import { z } from 'zod'\n\nexport const value = z\n",
    'db/b.ts': importing('#domain/a.ts'),
    'server/c.ts': "import { other } from '#db/b.ts'\n\nexport const value = other\n",
    'app/routes/d.ts': importing('#server/c.ts'),
    'app/components/e.ts': importing('#domain/a.ts'),
    'migrations/0001-a.ts': "import { sql } from 'kysely'\n\nexport const value = sql\n",
  }
  expect(runOn(files, 'depcruise', 'app', 'server', 'db', 'migrations')).toMatchObject({ ok: true })
})

test('each lint fault fails the check', () => {
  const { ok, output } = runOn(
    {
      'server/promise.ts':
        'const work = async (): Promise<void> => {}\nexport function start(): void {\n  work()\n}\n',
      'server/any.ts': 'export const a: any = 1\n',
      'server/talk.ts': "console.log('here')\n",
      'server/default.ts': 'export default 1\n',
      'server/environment.ts': "export const port = process.env['PORT']\n",
      'server/ignore.ts': '// @ts-ignore\nexport const a: string = 1\n',
      'server/swallow.ts': 'export function a(): void {\n  try {\n    a()\n  } catch {}\n}\n',
      'tests/server/skip.test.ts': "import { test } from 'vitest'\n\ntest.skip('a', () => {})\n",
      'tests/server/only.test.ts':
        "import { expect, test } from 'vitest'\n\ntest.only('a', () => {\n  expect(1).toBe(1)\n})\n",
    },
    'oxlint',
    '--format=unix',
  )
  expect(ok).toBe(false)
  const faults = [...output.matchAll(/^(\S+?):.*\((\S+)\)\]$/gm)].map(([, path, rule]) => `${path}: ${rule}`)
  expect(faults).toEqual(
    expect.arrayContaining([
      'server/promise.ts: no-floating-promises',
      'server/any.ts: no-explicit-any',
      'server/talk.ts: no-console',
      'server/default.ts: no-default-export',
      'server/environment.ts: no-process-env',
      'server/ignore.ts: ban-ts-comment',
      'server/swallow.ts: no-empty',
      'tests/server/skip.test.ts: no-disabled-tests',
      'tests/server/only.test.ts: no-focused-tests',
    ]),
  )
})

test('a type error, an unformatted file and an unused file fail the check', () => {
  const mistyped = { 'server/a.ts': "export const a: number = 'b'\n" }
  expect(runOn(mistyped, 'tsc', '--noEmit', '-p', '.')).toMatchObject({
    ok: false,
    output: expect.stringContaining('TS2322'),
  })
  const unformatted = { 'server/a.ts': 'export const a = "b";' }
  expect(runOn(unformatted, 'oxfmt', '--check', 'server')).toMatchObject({ ok: false })
  const unused = {
    'app/server.ts': "import '../server/a.ts'\n",
    'server/a.ts': 'export const used = 1\n',
    'server/b.ts': target,
  }
  expect(runOn(unused, 'knip', '--no-progress', '--include=files')).toMatchObject({
    ok: false,
    output: expect.stringContaining('server/b.ts'),
  })
})

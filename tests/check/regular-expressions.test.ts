import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

type Found = { place: string; expression: RegExp }

/** The regular expressions in a file's code. */
function expressionsIn(path: string): Found[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/su.exec(node.text) ?? []
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      found.push({ place: `${path}:${line} ${node.text}`, expression: new RegExp(source, flags) })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const found = ['app', 'server', 'db'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => expressionsIn(join(folder, path))),
)

const common = [' ', '\t', '\n', 'a', 'A', '0', '"', "'", '<', '-', '.', ',', ';', '/', '%', '\u00E9']

/** Short texts that, repeated, keep an expression busy: its own characters and their sequences. */
function pumpsFor({ source }: RegExp): string[] {
  const literals = source
    .replaceAll(/\[(?:[^\]\\]|\\.)*\]|\\[a-zA-Z]\{?[^}]*\}?|\(\?[:=!<]+|\{[\d,]+\}/g, '\0')
    .replaceAll(/\\(.)/g, '$1')
    .split(/[\0()|?*+^$]+/)
    .filter(Boolean)
  const whole = literals.join('')
  const pumps = [...common, ...whole.slice(0, 12), ...literals.slice(0, 12), ` ${whole}`, `${whole}a`]
  return [...new Set(pumps)]
}

/** CPU milliseconds on `bytes` of repeated text, with and without an end that matches nothing. */
function cpuMs(expression: RegExp, pump: string, bytes: number): number {
  const text = pump.repeat(Math.ceil(bytes / pump.length))
  const { user } = process.cpuUsage()
  for (const hostile of [text, `${text}\0`]) hostile.replace(expression, '')
  return (process.cpuUsage().user - user) / 1000
}

/** Linear expressions take less than 1 ms for 20 kB, quadratic ones at least 200. */
const limitMs = 30

/** The first hostile text that takes too long, or null. A slow machine gets three attempts. */
const findSlowText = (expression: RegExp): string | null =>
  pumpsFor(expression).find((pump) => [1, 2, 3].every(() => cpuMs(expression, pump, 20_000) > limitMs)) ??
  null

test('no regular expression takes more than linear time on hostile text', () => {
  expect(found.length).toBeGreaterThan(150)
  const slow = found.flatMap(({ place, expression }) => {
    const pump = findSlowText(expression)
    if (pump === null) return []
    const times = [10_000, 20_000, 40_000].map((bytes) => cpuMs(expression, pump, bytes).toFixed(0))
    return [`${place}: ${times.join(', ')} ms for 10, 20, 40 kB of ${JSON.stringify(pump)}`]
  })
  expect(slow).toEqual([])
})

test('the check finds a quadratic expression', () => {
  expect(findSlowText(/0+$/)).not.toBeNull()
})

import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

/** A script of `/bin/sh`: a file, or a command in a file of another kind. */
export type ShellScript = { path: string; text: string }

const wordsSchema = z.array(z.string())
/** A service of Compose, its health check, or a container of Kubernetes. */
const commandSchema = z.looseObject({
  entrypoint: wordsSchema.catch([]),
  command: wordsSchema.catch([]),
  args: wordsSchema.catch([]),
  test: wordsSchema.catch([]),
})

/** The script of `/bin/sh -c SCRIPT` or `CMD-SHELL SCRIPT`. */
function scriptOf([program, ...words]: readonly string[]): string[] {
  if (program === 'CMD-SHELL') return words.slice(0, 1)
  return program === '/bin/sh' && words[0] === '-c' ? words.slice(1, 2) : []
}

function scriptsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { entrypoint, command, args, test } = commandSchema.catch(noCommand).parse(value)
  return [
    ...scriptOf([...entrypoint, ...command, ...args]),
    ...scriptOf(test),
    ...Object.values(value).flatMap(scriptsIn),
  ]
}
const noCommand = { entrypoint: [], command: [], args: [], test: [] }

const scriptsOfYaml = (text: string): string[] =>
  parseAllDocuments(text, { merge: true }).flatMap((document) => scriptsIn(document.toJS()))

const scriptsOfCompose = (text: string): string[] =>
  scriptsOfYaml(text).map((script) => script.replaceAll('$$', '$'))

const scriptsOfUnit = (text: string): string[] =>
  [...text.matchAll(/^Exec\w+=-?\/bin\/sh -c '(.*)'$/gm)].map(([, script = '']) =>
    script.replaceAll('$$', '$').replaceAll('%%', '%'),
  )

const scriptsOfDockerfile = (text: string): string[] =>
  [...text.matchAll(/^RUN ((?:.*\\\n)*.*)$/gm)].map(([, script = '']) => script)

const readers: readonly (readonly [RegExp, (text: string) => string[]])[] = [
  [/\.sh$/, (text) => [text]],
  [/^compose\.yaml$/, scriptsOfCompose],
  [/^kubernetes\//, scriptsOfYaml],
  [/\.service$/, scriptsOfUnit],
  [/^Dockerfile$/, scriptsOfDockerfile],
]

/** Every shell script in the files of this folder, once. */
export function shellScripts(folder: string): ShellScript[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return paths.flatMap((path) => {
    const read = readers.find(([pattern]) => pattern.test(path))?.[1]
    const scripts = read?.(readFileSync(join(folder, path), 'utf8')) ?? []
    return [...new Set(scripts)].map((text) => ({ path, text }))
  })
}

/** Scripts that `/bin/sh` cannot parse, and files that do not name it in their first line. */
export const shellFaults = (scripts: readonly ShellScript[]): string[] =>
  scripts.flatMap(({ path, text }) => {
    if (path.endsWith('.sh') && !text.startsWith('#!/bin/sh\n')) {
      return [`${path}: the first line must be #!/bin/sh.`]
    }
    const { status, stderr } = spawnSync('/bin/sh', ['-n'], { input: text, encoding: 'utf8' })
    return status === 0 ? [] : [`${path}: ${stderr.trim()}`]
  })

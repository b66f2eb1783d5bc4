import { DockerfileParser } from 'dockerfile-ast'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments, parseDocument } from 'yaml'
import { z } from 'zod'
import { deployPaths } from './deploy-paths.ts'

/** A script of `/bin/sh`: a file, or a command in a file of another kind. */
export type ShellScript = { path: string; text: string }

/** The words of a command line, as Compose and systemd split it: they start no shell. */
const wordsOf = (line: string): string[] =>
  (line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs) ?? []).map((word) =>
    word.replaceAll(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs,
      (_, double?: string, single?: string, escaped?: string) =>
        double?.replaceAll(/\\(["\\])/g, '$1') ?? single ?? escaped ?? '',
    ),
  )

const listSchema = z.array(z.string())
const wordsSchema = z.union([listSchema, z.string().transform(wordsOf)]).catch([])
const testSchema = z.union([listSchema, z.string().transform((script) => ['CMD-SHELL', script])])
/** A service of Compose, or a container or probe of Kubernetes. */
const commandSchema = z.looseObject({
  entrypoint: wordsSchema,
  command: wordsSchema,
  args: wordsSchema,
  healthcheck: z.looseObject({ test: testSchema }).catch({ test: [] }),
})

/** The script of `sh -c SCRIPT` or `CMD-SHELL SCRIPT`. */
function scriptOf(command: readonly string[]): string[] {
  const words = command[0] === 'CMD' ? command.slice(1) : command
  if (words[0] === 'CMD-SHELL') return words.slice(1, 2)
  const operand = words.findIndex((word, index) => index > 0 && !word.startsWith('-'))
  const isShell = /^(?:(?:\/usr)?\/bin\/)?sh$/.test(words[0] ?? '')
  const readsScript = words.slice(1, operand).some((option) => /^-\w*c/.test(option))
  return isShell && operand > 0 && readsScript ? words.slice(operand, operand + 1) : []
}

function scriptsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { data } = commandSchema.safeParse(value)
  return [
    ...(data ? scriptOf([...data.entrypoint, ...data.command, ...data.args]) : []),
    ...(data ? scriptOf(data.healthcheck.test) : []),
    ...Object.values(value).flatMap(scriptsIn),
  ]
}

const scriptsOfYaml = (text: string): string[] =>
  parseAllDocuments(text, { merge: true }).flatMap((document) => scriptsIn(document.toJS()))

const scriptsOfCompose = (text: string): string[] =>
  scriptsOfYaml(text).map((script) => script.replaceAll('$$', '$'))

const scriptsOfUnit = (text: string): string[] => {
  const lines = text.replaceAll(/^[ \t]*[#;].*\n/gm, '').replaceAll('\\\n', ' ')
  return [...lines.matchAll(/^Exec\w+[ \t]*=[ \t]*[-+!:]*(.*)$/gm)]
    .flatMap(([, command = '']) => scriptOf(wordsOf(command)))
    .map((script) => script.replaceAll('$$', '$').replaceAll('%%', '%'))
}

const shellInstructions = new Set(['RUN', 'CMD', 'ENTRYPOINT', 'HEALTHCHECK'])

const scriptsOfDockerfile = (text: string): string[] =>
  DockerfileParser.parse(text)
    .getInstructions()
    .filter((instruction) => shellInstructions.has(instruction.getKeyword()))
    .map((instruction) => (instruction.getRawArgumentsContent() ?? '').replace(/^CMD\s/, ''))
    .flatMap((command) => {
      const { errors, contents } = parseDocument(command)
      const list = listSchema.safeParse(errors.length === 0 && contents?.toJSON())
      return list.success ? scriptOf(list.data) : [command.replaceAll(/^[ \t]*#.*\n|\\\n/gm, '')]
    })

const readers: readonly (readonly [RegExp, (text: string) => string[]])[] = [
  [/\.sh$/, (text) => [text]],
  [/^compose\.yaml$/, scriptsOfCompose],
  [/^kubernetes\//, scriptsOfYaml],
  [/\.service$/, scriptsOfUnit],
  [/^Dockerfile$/, scriptsOfDockerfile],
]

/** The shell scripts in the files of a folder, each once. deploy/README.md says which are read. */
export function shellScripts(folder: string): ShellScript[] {
  return deployPaths(folder).flatMap((path) => {
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

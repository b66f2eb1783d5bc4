import { validate } from 'dockerfile-utils'

/** One line for each instruction, without comments. */
export const dockerfileLines = (text: string): string =>
  text.replaceAll(/^[ \t]*#.*(?:\n|$)/gm, '').replaceAll(/\\[ \t]*\n/g, '')

/**
 * What the linter refuses in a Dockerfile, and stages that do not exist. A `--from` without tag and
 * path must be an earlier stage. `FROM` is refused only before a stage of that name: `FROM debian`
 * may be an image.
 *
 * @param targets stages that other files name
 */
export function dockerfileFaults(text: string, targets: readonly string[]): string[] {
  const stages = (dockerfileLines(text).match(/^[ \t]*FROM\s.*(?:\n(?!\s*FROM\s).*)*/gim) ?? []).map(
    readStage,
  )
  const names = stages.map(({ name }) => name)
  const unknown = stages.flatMap(({ base, from }, index) => {
    const earlier = names.slice(0, index)
    return [
      ...from.filter((stage) => !earlier.includes(stage) && !(Number(stage) < index)),
      ...names.slice(index + 1).filter((later) => later === base && !earlier.includes(base)),
    ]
  })
  return [
    ...validate(text).map(
      ({ range, message }) =>
        `Dockerfile:${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
    ),
    ...unknown.map((stage) => `Dockerfile: no earlier stage is called ${stage}.`),
    ...targets
      .filter((stage) => !names.includes(stage.toLowerCase()))
      .map((stage) => `Dockerfile: no stage is called ${stage}.`),
  ]
}

type Stage = { base: string; name: string; from: string[] }

/** Docker ignores the case of names. A stage without a name is called by its number only. */
function readStage(text: string): Stage {
  const [, base = '', name = ''] = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:[ \t]+AS[ \t]+(\S+))?/i.exec(text) ?? []
  const flags = [...text.matchAll(/^[ \t]*\w+((?:[ \t]+--\S+)+)/gm)].map(([, each]) => each).join(' ')
  const from = [...flags.matchAll(/[-,]from=([\w-]+)(?=[\s,]|$)/g)].map(([, stage = '']) =>
    stage.toLowerCase(),
  )
  return { base: base.toLowerCase(), name: name.toLowerCase(), from }
}

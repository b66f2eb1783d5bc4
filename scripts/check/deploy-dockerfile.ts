import { Copy, DockerfileParser, From } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'

/** No image with a tag or path: the name of a stage, or its number. */
const isStage = /^[\w-]+$/

/**
 * What the linter refuses in a Dockerfile, and stages that do not exist: a `--from` without tag and
 * path must name an earlier one, by name or number, and so must a `FROM` that names a later one.
 *
 * @param targets stages that other files name
 */
export function dockerfileFaults(text: string, targets: readonly string[]): string[] {
  const stages: string[] = []
  /** What stages are built on: other stages, or images. */
  const bases: string[] = []
  const unknown: string[] = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    // Docker ignores the case of names.
    if (instruction instanceof From) {
      stages.push(instruction.getBuildStage()?.toLowerCase() ?? '')
      bases.push(instruction.getImage()?.toLowerCase() ?? '')
    }
    if (!(instruction instanceof Copy)) continue
    const from = instruction.getFlags().find((flag) => flag.getName() === 'from')
    const stage = from?.getValue()?.toLowerCase() ?? ''
    // The last stage is the one that copies.
    const earlier = stages.slice(0, -1)
    if (isStage.test(stage) && !earlier.includes(stage) && !(Number(stage) < earlier.length))
      unknown.push(stage)
  }
  unknown.push(
    ...bases.filter((base, i) => stages.indexOf(base, i + 1) > i && !stages.slice(0, i).includes(base)),
  )
  return [
    ...validate(text).map(
      ({ range, message }) =>
        `Dockerfile:${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
    ),
    ...unknown.map((stage) => `Dockerfile: no earlier stage is called ${stage}.`),
    ...targets
      .filter((target) => !stages.includes(target.toLowerCase()))
      .map((target) => `Dockerfile: no stage is called ${target}.`),
  ]
}

import { Copy, DockerfileParser, From } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'

/** Not a number, and no image with a tag or path. */
const isStageName = /^(?!\d+$)[\w-]+$/

/**
 * What the linter refuses in a Dockerfile, and stages that do not exist: a `--from` without tag and
 * path must name an earlier one.
 *
 * @param targets stages that other files name
 */
export function dockerfileFaults(text: string, targets: readonly string[]): string[] {
  const stages: string[] = []
  const unknown: string[] = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    // Docker ignores the case of names.
    if (instruction instanceof From) stages.push(instruction.getBuildStage()?.toLowerCase() ?? '')
    if (!(instruction instanceof Copy)) continue
    const from = instruction.getFlags().find((flag) => flag.getName() === 'from')
    const stage = from?.getValue()?.toLowerCase() ?? ''
    // The last stage is the one that copies.
    if (isStageName.test(stage) && !stages.slice(0, -1).includes(stage)) unknown.push(stage)
  }
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

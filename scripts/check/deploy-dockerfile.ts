import { validate } from 'dockerfile-utils'

/**
 * What the linter refuses in a Dockerfile, and stages that do not exist.
 *
 * @param targets stages that other files name
 */
export function dockerfileFaults(text: string, targets: readonly string[]): string[] {
  const stages = new Set([...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage))
  const named = [...text.matchAll(/--from=(\S+)/g)].map(([, stage = '']) => stage)
  return [
    ...validate(text).map(
      ({ range, message }) =>
        `Dockerfile:${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
    ),
    ...[...named, ...targets]
      .filter((stage) => !stages.has(stage))
      .map((stage) => `Dockerfile: no stage is called ${stage}.`),
  ]
}

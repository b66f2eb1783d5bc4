import type { FillProblem } from './fill-rules.ts'
import { resolutionMessage } from './line-messages.ts'
import type { LineState } from './line-state.ts'
import { isTooSoon, type LineResolution } from './resolve-line.ts'

/**
 * What the customer reads about a line, and what they can do about it.
 * @param unitsPerPack the units that one pack of the line holds
 */
export function toLineState(resolution: LineResolution, unitsPerPack: number): LineState {
  const problem = resolution.kind === 'refused' ? resolution.problem : null
  const allowedPacks = problem ? Math.floor(allowedUnits(problem) / unitsPerPack) : 0
  const isPackTooLarge = problem !== null && allowedUnits(problem) > 0 && allowedPacks === 0
  return {
    kind: resolution.kind === 'needs prescription' ? 'choose' : resolution.kind,
    message: isPackTooLarge
      ? 'Not covered: this pack holds more than your prescription allows. Choose a smaller pack.'
      : resolutionMessage(resolution),
    needsPrescription: resolution.kind === 'needs prescription' || problem?.kind === 'different',
    isTooSoon: problem !== null && isTooSoon(problem),
    allowedPacks,
    needsUpload: problem !== null && endsTherapy(problem),
  }
}

/** The units that can be ordered now instead of the requested ones. */
function allowedUnits(problem: FillProblem): number {
  if (problem.kind === 'too many') return problem.allowed
  return problem.kind === 'nothing left' ? problem.left : 0
}

/** Whether only a new prescription helps. */
const endsTherapy = (problem: FillProblem): boolean =>
  problem.kind === 'different' ||
  problem.kind === 'closed' ||
  problem.kind === 'expired' ||
  (problem.kind === 'nothing left' && problem.left === 0)

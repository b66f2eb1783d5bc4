import { toLineState } from '#domain/dispensing/to-line-state.ts'
import type { LineState } from '#domain/dispensing/line-state.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { LineResolution } from '#domain/dispensing/resolve-line.ts'
import type { Context } from '../context.ts'
import { readPatientNames } from '../patients/read-patients.ts'
import { resolveLines } from './resolve-lines.ts'

type CartLine = {
  variant: { id: string }
  quantity: number
  prescribed: { medicine: Medicine; unitsPerPack: number } | null
}

/** The states of a cart's prescription lines, by variant, for its customer's own pages. */
export async function listCartStates(
  ctx: Pick<Context, 'db' | 'keys' | 'now' | 'shop'>,
  userId: string,
  lines: readonly CartLine[],
): Promise<Map<string, LineState>> {
  const toResolve = lines.flatMap(({ variant, quantity, prescribed }) =>
    prescribed
      ? [
          {
            variantId: variant.id,
            medicine: prescribed.medicine,
            units: prescribed.unitsPerPack * quantity,
            unitsPerPack: prescribed.unitsPerPack,
          },
        ]
      : [],
  )
  const resolutions = await resolveLines(ctx, userId, toResolve)
  const names = await listDependants(ctx, userId, resolutions)
  return new Map(
    toResolve.flatMap(({ variantId, unitsPerPack }): [string, LineState][] => {
      const resolution = resolutions.get(variantId)
      if (!resolution) return []
      const toState = (one: LineResolution): LineState =>
        withDependant(toLineState(one, unitsPerPack), one, names)
      const state = toState(resolution.all)
      const ofPatients = [...resolution.ofPatients].map(([id, one]) => [id, toState(one)] as const)
      return [
        [variantId, ofPatients.length > 0 ? { ...state, ofPatients: Object.fromEntries(ofPatients) } : state],
      ]
    }),
  )
}

/** Says whose prescription it is, when it is not the customer's own. */
function withDependant(
  state: LineState,
  resolution: LineResolution,
  names: ReadonlyMap<string, string>,
): LineState {
  const patientId = 'item' in resolution ? resolution.item.patientId : null
  const name = patientId === null ? undefined : names.get(patientId)
  return name === undefined ? state : { ...state, message: `For ${name}: ${state.message}` }
}

/** The names of the dependants whose items these are; most customers have none. */
async function listDependants(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: string,
  resolutions: Awaited<ReturnType<typeof resolveLines>>,
): Promise<Map<string, string>> {
  const hasDependants = [...resolutions.values()].some(({ ofPatients }) =>
    [...ofPatients.keys()].some((id) => id !== userId),
  )
  return hasDependants ? readPatientNames(ctx, userId) : new Map()
}

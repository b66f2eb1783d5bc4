import { toLineState } from '#domain/dispensing/to-line-state.ts'
import type { LineState } from '#domain/dispensing/line-state.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { Context } from '../context.ts'
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
  return new Map(
    toResolve.flatMap(({ variantId, unitsPerPack }) => {
      const resolution = resolutions.get(variantId)
      return resolution ? [[variantId, toLineState(resolution, unitsPerPack)]] : []
    }),
  )
}

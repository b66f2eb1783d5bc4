import { findIllustration } from '#db/catalog/variants.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { illustrationSvg } from '#domain/catalog/illustration-drawing.ts'
import { illustrationHash } from '#domain/catalog/illustration.ts'
import type { Context } from '#server/context.ts'

/** A variant's illustration and the hash of its content. Throws NOT_FOUND. */
export async function illustrateVariant(
  ctx: Context,
  variantId: string,
): Promise<{ svg: string; hash: string }> {
  const shown = isId(variantId) ? await findIllustration(ctx.db, variantId) : null
  if (!shown) throw new AppError('NOT_FOUND', 'Picture not found')
  return { svg: illustrationSvg(shown), hash: illustrationHash(shown) }
}

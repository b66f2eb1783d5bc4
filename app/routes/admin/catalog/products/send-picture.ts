import { isPictureType, maxPictureBytes, tooLargePicture, wrongPicture } from '#domain/catalog/product-pictures.ts'
import { unreachedReply } from '../../../../http/network-fallback.ts'

export type SentPicture = { image: string } | { problem: string }

/**
 * Uploads a product's picture and answers its address, or what is wrong with it. Not sent again by itself: somebody stands before the
 * button. Rejects when `signal` says so, and for nothing else.
 */
export async function sendPicture(file: File, signal: AbortSignal): Promise<SentPicture> {
  if (file.size > maxPictureBytes) return { problem: tooLargePicture }
  // Some systems know no type; the server looks at the content in any case.
  if (file.type !== '' && !isPictureType(file.type)) return { problem: wrongPicture }
  const form = new FormData()
  form.append('file', file)
  try {
    const response = await fetch('/admin/products/picture', { method: 'POST', body: form, signal })
    const type = response.headers.get('content-type') ?? ''
    if (response.ok && type.startsWith('application/json')) {
      const { image } = (await response.json()) as { image: string }
      return { image }
    }
    // A proxy answers with a page; what is shown is a sentence of ours.
    const said = type.startsWith('text/plain') ? await response.text() : ''
    return { problem: said || unreachedReply.message }
  } catch (error) {
    if (signal.aborted) throw error
    return { problem: unreachedReply.message }
  }
}

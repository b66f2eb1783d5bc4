import {
  isPictureType,
  maxPictureBytes,
  pictureTooLarge,
  unsupportedPicture,
} from '#domain/catalog/product-pictures.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { signedOutMessage } from '../../../../http/trpc.ts'
import { unreachableReply } from '../../../../http/network-fallback.ts'

export type UploadedPicture = { image: string } | { problem: string }

/**
 * Uploads a product's picture and returns its URL, or what is wrong with it. There is no
 * automatic retry: the admin can press the button again. Rejects only when `signal` aborts.
 */
export async function uploadPicture(file: File, signal: AbortSignal): Promise<UploadedPicture> {
  if (file.size > maxPictureBytes) return { problem: pictureTooLarge(maxPictureBytes) }
  // Some systems report no type. The server checks the content in any case.
  if (file.type !== '' && !isPictureType(file.type)) return { problem: unsupportedPicture }
  const form = new FormData()
  form.append('file', file)
  try {
    const response = await fetch(adminPaths.productPicture, { method: 'POST', body: form, signal })
    const type = response.headers.get('content-type') ?? ''
    if (response.ok && type.startsWith('application/json')) {
      const { image } = (await response.json()) as { image: string }
      return { image }
    }
    if (response.status === 401) return { problem: signedOutMessage }
    // A proxy may answer with an HTML page. Only our own plain-text sentences are shown.
    const reply = type.startsWith('text/plain') ? await response.text() : ''
    return { problem: reply || unreachableReply.message }
  } catch (error) {
    if (signal.aborted) throw error
    return { problem: unreachableReply.message }
  }
}

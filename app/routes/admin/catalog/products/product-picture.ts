import { maxPictureBytes, pictureTooLarge } from '#domain/catalog/product-pictures.ts'
import { receivePicture } from '#server/files/receive-picture.ts'
import { apiAction, withoutBody } from '../../../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../../../http/api.server.ts'
import { readFileForm, type FileBounds } from '../../../../http/file-form.server.ts'

const fileLimits: FileBounds = {
  bytes: maxPictureBytes,
  tooLarge: pictureTooLarge(maxPictureBytes),
  missing: 'Choose a picture.',
}

export const loader = methodNotAllowed('POST')

/**
 * Receives a product picture as the form field `file` and returns its URL for the product's
 * `image`.
 */
export const action = apiAction({
  POST: withoutBody({
    for: 'catalog.write',
    run: async (ctx, { request }) =>
      readFileForm(request, fileLimits, async ({ body }) =>
        privateReply({ image: await receivePicture(ctx, body) }),
      ),
  }),
})

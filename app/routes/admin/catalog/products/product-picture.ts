import { maxPictureBytes, tooLargePicture } from '#domain/catalog/product-pictures.ts'
import { receivePicture } from '#server/files/receive-picture.ts'
import { apiAction, withoutBody } from '../../../../http/api-action.server.ts'
import { onlyMethods, privateReply } from '../../../../http/api.server.ts'
import { readFileForm, type FileBounds } from '../../../../http/file-form.server.ts'

const bounds: FileBounds = {
  bytes: maxPictureBytes,
  tooLarge: tooLargePicture,
  missing: 'Please choose a picture.',
}

export const loader = onlyMethods('POST')

/** A form with a picture of a product as its `file`; answers the address that the product's `image` is to be. */
export const action = apiAction({
  POST: withoutBody({
    for: 'admin',
    run: async (ctx, { request }) =>
      readFileForm(request, bounds, async ({ body }) =>
        privateReply({ image: await receivePicture(ctx, body) }),
      ),
  }),
})

import { serverPaths } from '#domain/server-paths.ts'

/** Rules for uploaded product pictures. */

const extensions = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const
export type PictureType = keyof typeof extensions

export const isPictureType = (type: string): type is PictureType => Object.hasOwn(extensions, type)

/** A picture of another site is kept as its address and shown as our copy. */
export const isRemotePicture = (image: string): boolean => /^https:/i.test(image)

/**
 * No second slash or backslash after the first: browsers would read those as another host. No
 * control characters: browsers drop them at the end of a path, so it would name another page.
 */
const sitePath = /^\/(?![/\\])[^\s\\\p{Cc}]*$/u

export const isSitePath = (text: string): boolean => sitePath.test(text)

/**
 * The first segments of the private paths. Routes match any case, and React Router answers the data
 * of a page at its path with `.data`.
 */
const privateStart =
  /^\/+(?:account|admin|api|checkout|login|objects|order-history|orders|prescriptions|profile|trpc)(?:\.data)?(?:[/?#]|$)/i

/** Other paths are tested as they are: this runs for every card, and parsing a URL is slower. */
const needsDecoding = /%|\/\.|[\s\\\p{Cc}]/u

/**
 * Whether this path is never a public picture, such as a customer's document: every view of the
 * product would request it. A path that can't be decoded counts as private. Earlier releases stored
 * paths with control characters too, which a browser drops.
 */
export function isPrivatePath(text: string): boolean {
  if (!text.startsWith('/')) return false
  if (!needsDecoding.test(text)) return privateStart.test(text)
  try {
    return privateStart.test(decodeURIComponent(new URL(text, 'https://shop.example').pathname))
  } catch {
    return true
  }
}

/**
 * The path that pages show for a product's `image`, or null when they show the illustration: there
 * is no picture, no copy of it yet, or an earlier release stored a private path.
 */
export function shownPicture(image: string | null, copy: string | null): string | null {
  if (image === null || isPrivatePath(image)) return null
  return isRemotePicture(image) ? copy : image
}

/** Contract, "Products and stock". */
export const maxRemotePictureBytes = 5 * 1024 * 1024

export const maxPictureBytes = 2 * 1024 * 1024

export const pictureTooLarge = (maxBytes: number): string =>
  `The picture must be ${maxBytes / 1024 / 1024} MB or smaller.`
export const unsupportedPicture = 'The picture must be a JPG or PNG.'
export const pictureTooManyPixels = 'The picture has too many pixels. Use one of 25 megapixels or fewer.'

type PictureFile = { id: string; contentType: PictureType }

const toFileName = ({ id, contentType }: PictureFile): string => `${id}.${extensions[contentType]}`

/** A picture's URL path, stored as the product's `image`. Its bytes never change. */
export const picturePath = (picture: PictureFile): string =>
  `${serverPaths.productPictures}/${toFileName(picture)}`

const namePattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:jpg|png)$/

/** The picture id in a file name, or null when the name is malformed. */
export const parsePictureId = (name: string): string | null => namePattern.exec(name)?.[1] ?? null

/** Whether this is the picture's exact file name. Another extension does not match. */
export const isPictureName = (name: string, picture: PictureFile): boolean => name === toFileName(picture)

import { paths } from '#domain/paths.ts'
/** Rules for uploaded product pictures. */

const extensions = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const
export type PictureType = keyof typeof extensions

export const isPictureType = (type: string): type is PictureType => Object.hasOwn(extensions, type)

export const maxPictureBytes = 2 * 1024 * 1024

export const pictureTooLarge = 'The picture must be 2 MB or smaller.'
export const unsupportedPicture = 'The picture must be a JPG or PNG.'

type PictureFile = { id: string; contentType: PictureType }

const toFileName = ({ id, contentType }: PictureFile): string => `${id}.${extensions[contentType]}`

/** A picture's URL path, stored as the product's `image`. Its bytes never change. */
export const picturePath = (picture: PictureFile): string => `${paths.productPictures}/${toFileName(picture)}`

const namePattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:jpg|png)$/

/** The picture id in a file name, or null when the name is malformed. */
export const parsePictureId = (name: string): string | null => namePattern.exec(name)?.[1] ?? null

/** Whether this is the picture's exact file name. Another extension does not match. */
export const isPictureName = (name: string, picture: PictureFile): boolean => name === toFileName(picture)

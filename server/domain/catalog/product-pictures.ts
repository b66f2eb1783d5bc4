/** What an uploaded picture of a product may be. */

const extensions = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const
export type PictureType = keyof typeof extensions

export const isPictureType = (type: string): type is PictureType => Object.hasOwn(extensions, type)

export const maxPictureBytes = 2 * 1024 * 1024

export const tooLargePicture = 'The picture is larger than 2 MB.'
export const wrongPicture = 'The picture is no JPG or PNG.'

type Named = { id: string; contentType: PictureType }

const nameOf = ({ id, contentType }: Named): string => `${id}.${extensions[contentType]}`

/** Where a picture is read: what stands as a product's `image`. Its bytes never change. */
export const pictureAddress = (picture: Named): string => `/img/p/${nameOf(picture)}`

const namePattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:jpg|png)$/

/** The id of the picture that the end of such an address names, or null when it has not the form of one. */
export const pictureIdOf = (name: string): string | null => namePattern.exec(name)?.[1] ?? null

/** Whether this is the one name of a picture: another ending names nothing. */
export const isNameOf = (name: string, picture: Named): boolean => name === nameOf(picture)

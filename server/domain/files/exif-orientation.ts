/** How a picture must be turned; 1 is upright (Exif 2.32, 4.6.4 A, tag 0x0112). */
type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const orientationTag = 0x0112
const shortType = 3

/**
 * The orientation in an Exif block, which starts with its TIFF header. Upright when there is none,
 * or when the block is malformed.
 */
export function readOrientation(tiff: Uint8Array): Orientation {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  if (view.byteLength < 8) return 1
  const order = view.getUint16(0)
  const isLittle = order === 0x4949
  if ((!isLittle && order !== 0x4d4d) || view.getUint16(2, isLittle) !== 42) return 1
  const directory = view.getUint32(4, isLittle)
  if (directory + 2 > view.byteLength) return 1
  const entries = view.getUint16(directory, isLittle)
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + 12 * i
    if (entry + 12 > view.byteLength) return 1
    if (view.getUint16(entry, isLittle) !== orientationTag) continue
    const isShort = view.getUint16(entry + 2, isLittle) === shortType
    const value = view.getUint16(entry + 8, isLittle)
    return isShort && value >= 1 && value <= 8 ? (value as Orientation) : 1
  }
  return 1
}

/** An Exif block that holds an orientation and nothing else. */
export const exifWith = (orientation: Orientation): Uint8Array<ArrayBuffer> =>
  // prettier-ignore
  Uint8Array.from([
    // Big-endian, and the directory after eight bytes.
    0x4d, 0x4d, 0, 42, 0, 0, 0, 8,
    // One entry: its tag, its type, one value, and no further directory.
    0, 1, orientationTag >> 8, orientationTag & 0xff, 0, shortType, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
  ])

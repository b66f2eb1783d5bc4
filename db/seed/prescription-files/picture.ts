import { crc32, deflateSync } from 'node:zlib'
import type { Point } from './letters.ts'

/** What a pixel is made of. Each has its own color and its own range of the palette. */
type Ink = 'print' | 'pen'
type Color = readonly [red: number, green: number, blue: number]

const levels = 80
const tableTop: Color = [138, 108, 82]
const paper: Color = [251, 247, 238]
const inks: Record<Ink, Color> = { print: [52, 56, 64], pen: [26, 42, 112] }

export type Picture = {
  width: number
  height: number
  /** Draws a line through the points, `thickness` pixels wide, with round ends. */
  line: (points: readonly Point[], ink: Ink, thickness: number) => void
  toPng: () => Buffer
}

/** How the paper lies on the table when it is photographed. */
export type Camera = {
  width: number
  height: number
  /** Degrees, clockwise. */
  rotation: number
  /** How much darker the farthest corner is: 0 for even light. */
  shadow: number
  /** The table around the paper, in pixels. */
  margin: number
}

/** A photo of an empty sheet. Lines are placed in the sheet's own pixels, from its top left. */
export function photographSheet(camera: Camera): Picture {
  const { width, height, margin, shadow } = camera
  const [sheetWidth, sheetHeight] = [width - 2 * margin, height - 2 * margin]
  const angle = (camera.rotation * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const place = ([x, y]: Point): Point => {
    const [dx, dy] = [x - sheetWidth / 2, y - sheetHeight / 2]
    return [width / 2 + dx * cos - dy * sin, height / 2 + dx * sin + dy * cos]
  }
  const coverage: Record<Ink, Uint8Array> = {
    print: new Uint8Array(width * height),
    pen: new Uint8Array(width * height),
  }

  function segment(layer: Uint8Array, [ax, ay]: Point, [bx, by]: Point, radius: number): void {
    const [dx, dy] = [bx - ax, by - ay]
    const squared = dx * dx + dy * dy || 1
    const reach = radius + 1
    const top = Math.max(0, Math.floor(Math.min(ay, by) - reach))
    const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by) + reach))
    const left = Math.max(0, Math.floor(Math.min(ax, bx) - reach))
    const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx) + reach))
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / squared))
        const distance = Math.hypot(x - ax - along * dx, y - ay - along * dy)
        const cover = Math.round(255 * Math.max(0, Math.min(1, radius + 0.5 - distance)))
        const i = y * width + x
        if (cover > (layer[i] ?? 0)) layer[i] = cover
      }
    }
  }

  /** One palette index for each pixel, after each row's filter byte. */
  function pixels(): Buffer {
    const rows = Buffer.alloc((width + 1) * height)
    for (let y = 0; y < height; y++) {
      const dy = y - height / 2
      for (let x = 0; x < width; x++) {
        const dx = x - width / 2
        const sheetX = dx * cos + dy * sin + sheetWidth / 2
        const sheetY = dy * cos - dx * sin + sheetHeight / 2
        const light = 1 - shadow * ((x / width) * 0.7 + (y / height) * 0.3)
        const isPaper = sheetX >= 0 && sheetX < sheetWidth && sheetY >= 0 && sheetY < sheetHeight
        const i = y * width + x
        const print = coverage.print[i] ?? 0
        const pen = coverage.pen[i] ?? 0
        const level = isPaper ? light * (1 - Math.max(print, pen) / 255) : light
        const ramp = !isPaper ? 2 : pen > print ? 1 : 0
        rows[y * (width + 1) + 1 + x] = ramp * levels + Math.min(levels - 1, Math.floor(level * levels))
      }
    }
    return rows
  }

  return {
    width: sheetWidth,
    height: sheetHeight,
    line: (points, ink, thickness) => {
      const placed = points.map(place)
      for (const [i, point] of placed.entries())
        segment(coverage[ink], placed[i - 1] ?? point, point, thickness / 2)
    },
    toPng: () => encodePng(width, height, pixels()),
  }
}

/** From black ink to lit paper, and from shade to light on the table. */
function palette(): Buffer {
  const colors = Buffer.alloc(3 * levels * 3)
  const ramps: readonly (readonly [Color, Color])[] = [
    [inks.print, paper],
    [inks.pen, paper],
    [[0, 0, 0], tableTop],
  ]
  for (const [ramp, [dark, light]] of ramps.entries()) {
    for (let level = 0; level < levels; level++) {
      for (const channel of [0, 1, 2] as const) {
        const share = level / (levels - 1)
        colors[(ramp * levels + level) * 3 + channel] = Math.round(
          dark[channel] + (light[channel] - dark[channel]) * share,
        )
      }
    }
  }
  return colors
}

function encodePng(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, by palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', palette()),
    chunk('IDAT', deflateSync(rows, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const all = Buffer.alloc(named.length + 8)
  all.writeUInt32BE(data.length, 0)
  named.copy(all, 4)
  all.writeUInt32BE(crc32(named), named.length + 4)
  return all
}

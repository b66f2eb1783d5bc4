import { letterOf, type Point, type Stroke } from './letters.ts'
import type { Picture } from './picture.ts'

export type Hand = {
  ink: 'print' | 'pen'
  /** The height of a capital letter, in pixels. */
  size: number
  thickness: number
  /** How unsteady the hand is: 0 for a machine. */
  unsteady?: number
  slant?: number
  /** The same advance for all letters, like a typewriter. */
  isMonospaced?: boolean
}

const capitalHeight = 14
const letterGap = 2.4
const typewriterAdvance = 10.4

/** Catmull-Rom: a curve through all points. */
function bend(points: readonly Point[]): Point[] {
  const at = (i: number): Point => points[Math.max(0, Math.min(points.length - 1, i))] ?? [0, 0]
  const curve: Point[] = []
  const steps = 4
  for (let i = 0; i + 1 < points.length; i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    for (let step = 0; step < steps; step++) {
      const t = step / steps
      const blend = (axis: 0 | 1): number =>
        0.5 *
        (2 * from[axis] +
          (to[axis] - before[axis]) * t +
          (2 * before[axis] - 5 * from[axis] + 4 * to[axis] - after[axis]) * t * t +
          (3 * from[axis] - before[axis] - 3 * to[axis] + after[axis]) * t * t * t)
      curve.push([blend(0), blend(1)])
    }
  }
  return [...curve, at(points.length - 1)]
}

/** Each unsteady letter differs, but the same text is drawn the same at every start. */
function wobbleOf(text: string): () => number {
  let state = text.length * 7919 + 17
  for (const character of text) state = (Math.imul(state, 31) + character.charCodeAt(0)) | 0
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) | 0
    return ((state >>> 16) & 0x7fff) / 0x4000 - 1
  }
}

/** Writes a line of text whose baseline starts at the point. Returns where it ends. */
export function writeText(picture: Picture, text: string, [left, baseline]: Point, hand: Hand): number {
  const { ink, size, thickness, unsteady = 0, slant = 0, isMonospaced = false } = hand
  const scale = size / capitalHeight
  const wobble = wobbleOf(text)
  let x = left
  for (const character of text) {
    const letter = letterOf(character)
    const rise = baseline + wobble() * unsteady * size * 0.05
    const grow = scale * (1 + wobble() * unsteady * 0.07)
    const lean = slant + wobble() * unsteady * 0.05
    const indent = isMonospaced ? (typewriterAdvance - letterGap - letter.width) / 2 : 0
    const toSheet = (point: Point): Point => [
      x + (point[0] + indent + lean * point[1]) * grow,
      rise - point[1] * grow,
    ]
    for (const stroke of letter.strokes) {
      const points = shake(stroke, wobble, unsteady)
      const path = stroke.bends || unsteady > 0 ? bend(points) : points
      picture.line(path.map(toSheet), ink, thickness * (1 + wobble() * unsteady * 0.12))
    }
    const gap = letterGap * (unsteady > 0 ? 0.72 + wobble() * 0.3 : 1)
    x += (isMonospaced ? typewriterAdvance : letter.width + gap) * scale
  }
  return x
}

const shake = ({ points }: Stroke, wobble: () => number, unsteady: number): readonly Point[] =>
  unsteady === 0
    ? points
    : points.map(([x, y]): Point => [x + wobble() * unsteady * 0.42, y + wobble() * unsteady * 0.42])

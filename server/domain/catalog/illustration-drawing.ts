import { fnv1a, type Illustration } from './illustration.ts'
import { findPictureKind, type Container, type Sign } from './picture-kind.ts'
import { box, clip, escapeXml, fit, label, paper } from './illustration-label.ts'

type Palette = { main: string; dark: string; light: string }

/**
 * Ten hues of equal lightness (oklch 60 %, 42 %, 90 %), so that a grid looks even in both themes.
 */
const palettes: readonly Palette[] = /* @__PURE__ */ [
  ['#2b9191', '#055959', '#c4e6e5'],
  ['#519068', '#2a583c', '#cde5d4'],
  ['#7a884c', '#485324', '#dbe2c8'],
  ['#9b7a42', '#61481b', '#eadcc5'],
  ['#ac704e', '#6c4128', '#f2d8ca'],
  ['#b0696c', '#6e3d3e', '#f5d5d5'],
  ['#a46b91', '#663d59', '#efd5e5'],
  ['#8475b0', '#50456f', '#dfdaf3'],
  ['#5e81b6', '#344e73', '#d0dff6'],
  ['#3c8baa', '#19546b', '#c7e3f1'],
].map(([main = '', dark = '', light = '']) => ({ main, dark, light }))

const metal = '#9aa9ad'

/**
 * Draws the product from its data: an SVG of about 160 by 120 units without scripts or references.
 */
export function illustrationSvg(input: Illustration): string {
  const seed = fnv1a(`${input.name.toLowerCase()}\n${input.form ?? ''}`)
  const palette = palettes[seed % palettes.length] ?? { main: '#2b9191', dark: '#055959', light: '#c4e6e5' }
  const { container, sign } = findPictureKind(input.route, input.form)
  const x = input.isBrand
    ? container === 'vial'
      ? 82
      : 90
    : sign === null && container === 'bottle'
      ? 80
      : 74
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 120" width="320" height="240" font-family="Figtree,Arial,sans-serif" text-anchor="middle">` +
    `<ellipse cx="${x}" cy="107" rx="${input.isBrand ? 68 : 60}" ry="5" opacity=".12"/>` +
    (input.isBrand ? carton(input, palette) : '') +
    `<g transform="translate(${x})">${containers[container](input, palette)}${sign ? signs[sign](palette, input, seed) : ''}</g></svg>`
  )
}

/**
 * The container shapes are centered on x = 0 and stand on y = 107. A sign is at the right.
 */
const bottle = (input: Illustration, { main, dark, light }: Palette): string =>
  box(-22, 16, 44, 17, 3, light) +
  `<path d="M-15 20v9m6-9v9m6-9v9m6-9v9m6-9v9m6-9v9" stroke="${main}" opacity=".5"/>` +
  box(-18, 33, 36, 6, 0, dark) +
  box(-30, 38, 60, 69, 9, main) +
  label(input, dark, -30, 51, 60, 40) +
  shine(-26, 43, 59) +
  `<path d="M20 38h1q9 0 9 9v51q0 9-9 9h-1z" opacity=".1"/>`

const liquid = (input: Illustration, { main, dark, light }: Palette): string =>
  box(-13, 12, 26, 16, 3, light) +
  `<path d="M-10 28h20v7q17 6 17 20v43q0 9-9 9h-36q-9 0-9-9V55q0-14 17-20z" fill="${main}"/>` +
  `<path d="M-27 60h54v-5q0-14-17-20h-20q-17 6-17 20z" fill="${dark}" opacity=".35"/>` +
  label(input, dark, -27, 58, 54, 38) +
  shine(-23, 50, 52) +
  shade(18, 58, 9, 38)

const tube = (input: Illustration, { main, dark, light }: Palette): string =>
  box(-29, 12, 58, 7, 1, dark) +
  `<path d="M-28 19h56l-8 73h-40z" fill="${main}"/><path d="M-25 22h4l7 67h-2z" fill="#fff" opacity=".22"/>` +
  box(-16, 92, 32, 15, 2, light) +
  label(input, dark, -23, 36, 46, 38) +
  `<path d="M18 19h10l-8 73h-9z" opacity=".12"/>`

const vial = (input: Illustration, { main, dark, light }: Palette): string =>
  box(-15, 24, 30, 11, 2, main) +
  box(-13, 35, 26, 7, 0, metal) +
  `<path d="M-11 42h22q1 7 12 10v47q0 8-8 8h-30q-8 0-8-8V52q11-3 12-10z" fill="${light}"/>` +
  label(input, dark, -23, 58, 46, 38) +
  shine(-20, 55, 47) +
  shade(15, 52, 8, 46) +
  `<g transform="rotate(-16 50 98)">${box(35, 93, 28, 11, 2, light)}${box(35, 93, 16, 11, 2, main)}<path d="M63 98.5h14" stroke="${metal}" stroke-width="1.5"/><path d="M25 92v13m0-6.5h10" stroke="${dark}" stroke-width="3"/></g>`

const inhaler = (input: Illustration, { main, dark, light }: Palette): string =>
  box(-16, 14, 30, 34, 5, metal) +
  shine(-12, 18, 22) +
  `<path d="M-23 40h44v40h27q4 0 4 4v23h-59q-16 0-16-16z" fill="${main}"/>` +
  box(46, 78, 9, 29, 3, light) +
  label(input, dark, -23, 48, 44, 34) +
  `<path d="M-23 91q0 16 16 16h59v-9h-55q-16 0-20-7z" opacity=".14"/>`

const patch = (input: Illustration, { main, dark, light }: Palette): string =>
  `<path d="M-36 22l3 3 3-3 3 3 3-3 3 3 3-3 3 3 3-3 3 3 3-3 3 3 3-3 3 3 3-3 3 3 3-3 3 3 3-3 3 3 3-3 3 3 3-3v83q0 2-2 2h-62q-2 0-2-2z" fill="${dark}"/>` +
  box(-36, 31, 66, 76, 2, main) +
  label(input, dark, -36, 40, 66, 38) +
  shade(22, 25, 8, 82) +
  `<g transform="rotate(-8 46 90)">${box(29, 73, 34, 34, 9, light)}${box(36, 80, 20, 20, 5, main, ' opacity=".45"')}</g>`

const suppository = (input: Illustration, { main, dark, light }: Palette): string => {
  const bullet = (x: number) =>
    `<path d="M${x} 107V86q0-16 9-16t9 16v21q-9 3-18 0z" fill="${light}"/><path d="M${x + 12} 73q6 3 6 13v21l-5 1z" opacity=".1"/>`
  return (
    box(-38, 24, 62, 83, 5, main) +
    label(input, dark, -38, 40, 62, 38) +
    shade(16, 24, 8, 83) +
    bullet(30) +
    bullet(51)
  )
}

const tablet = ({ main, light }: Palette, input: Illustration, seed: number): string => {
  const [rx, ry] = (seed >>> 8) % 2 ? [15, 15] : [20, 12]
  const y = 104 - ry
  return (
    `<ellipse cx="44" cy="${y + 3}" rx="${rx}" ry="${ry}" fill="${main}"/><ellipse cx="44" cy="${y}" rx="${rx}" ry="${ry}" fill="${light}"/>` +
    `<text x="44" y="${y + 3}" font-size="9" font-weight="700" fill="${main}">${escapeXml(imprintOf(input))}</text>`
  )
}

const capsule = ({ main, dark, light }: Palette): string =>
  `<g transform="rotate(-24 44 96)">${box(22, 88, 44, 18, 9, light)}<path d="M44 88h13a9 9 0 0 1 0 18h-13z" fill="${dark}"/>` +
  `<path d="M31 92h26" stroke="${paper}" stroke-width="2.5" stroke-linecap="round" opacity=".55"/><path d="M44 88v18" stroke="${main}"/></g>`

/** A squeeze bottle with a tip, for the eye. */
const dropper = (input: Illustration, { main, dark, light }: Palette): string =>
  `<path d="M-4 10h8l6 24h-20z" fill="${light}"/>` +
  box(-13, 34, 26, 7, 2, dark) +
  box(-24, 41, 48, 66, 10, main) +
  label(input, dark, -24, 53, 48, 38) +
  shine(-20, 47, 52) +
  shade(16, 46, 8, 56)

/** A bottle with a rubber bulb, for the ear. */
const pipette = (input: Illustration, { main, dark, light }: Palette): string =>
  `<path d="M-8 26V16q0-8 8-8t8 8v10z" fill="${dark}"/>` +
  box(-14, 26, 28, 12, 3, light) +
  `<path d="M-10 38h20q14 4 14 14v46q0 9-9 9h-30q-9 0-9-9V52q0-10 14-14z" fill="${main}"/>` +
  label(input, dark, -24, 56, 48, 38) +
  shine(-20, 54, 46) +
  shade(16, 54, 8, 44)

/** A pump with a nozzle and its mist. */
const spray = (input: Illustration, { main, dark, light }: Palette): string =>
  `<path d="M-4 8h8l2 18h-12z" fill="${light}"/>` +
  box(-20, 26, 40, 7, 3, light) +
  box(-14, 33, 28, 6, 0, dark) +
  box(-26, 39, 52, 68, 9, main) +
  label(input, dark, -26, 52, 52, 38) +
  shine(-22, 45, 52) +
  shade(18, 44, 8, 58) +
  `<g fill="${main}" opacity=".6"><circle cx="13" cy="9" r="1.6"/><circle cx="19" cy="5" r="1.6"/><circle cx="20" cy="12" r="1.6"/><circle cx="27" cy="8" r="1.6"/></g>`

/** A flat bottle with a flip-top cap, for what is applied or rinsed with. */
const flipTop = (input: Illustration, { main, dark, light }: Palette): string =>
  box(-15, 10, 30, 15, 3, light) +
  `<path d="M-15 18h30" stroke="${main}"/>` +
  `<path d="M-27 34q0-9 9-9h36q9 0 9 9l3 64q0 9-9 9h-42q-9 0-9-9z" fill="${main}"/>` +
  label(input, dark, -28, 46, 56, 40) +
  shine(-23, 32, 66) +
  `<path d="M17 25h1q9 0 9 9l3 64q0 9-9 9h-1z" opacity=".1"/>`

/** A bottle with a long nozzle. */
const enema = (input: Illustration, { main, dark, light }: Palette): string =>
  `<path d="M-2 6h4l4 28h-12z" fill="${light}"/>` +
  `<path d="M-9 34h18q17 6 17 22v42q0 9-9 9h-34q-9 0-9-9V56q0-16 17-22z" fill="${main}"/>` +
  label(input, dark, -26, 60, 52, 38) +
  shine(-22, 56, 44) +
  shade(17, 58, 9, 40)

/** A box and an applicator with its plunger. */
const applicator = (input: Illustration, { main, dark, light }: Palette): string =>
  box(-38, 24, 62, 83, 5, main) +
  label(input, dark, -38, 40, 62, 38) +
  shade(16, 24, 8, 83) +
  box(42, 44, 5, 24, 2, main) +
  box(37, 42, 15, 4, 2, dark) +
  box(38, 62, 13, 45, 5, light) +
  shade(47, 66, 4, 38)

/** A box and three single doses to inhale from a nebulizer. */
const ampoules = (input: Illustration, { main, dark, light }: Palette): string =>
  box(-38, 24, 62, 83, 5, main) +
  label(input, dark, -38, 40, 62, 38) +
  shade(16, 24, 8, 83) +
  [30, 44, 58]
    .map(
      (x) =>
        `<path d="M${x} 107V84q0-6 4-8v-6h4v6q4 2 4 8v23z" fill="${light}"/><path d="M${x} 92h12v15h-12z" fill="${main}" opacity=".5"/>`,
    )
    .join('')

/** A bag of fluid. */
const bag = (input: Illustration, { main, dark, light }: Palette): string =>
  `<path d="M-32 20q0-8 8-8h48q8 0 8 8v62q0 8-8 8h-48q-8 0-8-8z" fill="${light}"/>` +
  `<path d="M-32 62q32 8 64 0v20q0 8-8 8h-48q-8 0-8-8z" fill="${main}" opacity=".35"/>` +
  box(-8, 15, 16, 4, 2, dark) +
  label(input, dark, -26, 28, 52, 38) +
  `<path d="M-10 90v8m20-8v8q0 9 12 9h26" fill="none" stroke="${main}" stroke-width="4"/>`

const plainBox = (input: Illustration, { main, dark, light }: Palette): string =>
  `<path d="M-34 26l8-10h66l-8 10z" fill="${light}"/>` +
  box(-34, 26, 66, 81, 1, main) +
  label(input, dark, -34, 42, 66, 40) +
  `<path d="M32 26l8-10v81l-8 10z" fill="${dark}"/>`

const cup = ({ main }: Palette): string =>
  `<path d="M36 84h26l-3 23h-20z" fill="${paper}" opacity=".75"/><path d="M37 93h24l-2 14h-20z" fill="${main}" opacity=".8"/>`

const smear = ({ light }: Palette): string =>
  `<path d="M31 107q-3-9 7-10 0-9 9-11 1 6 6 8 9 3 6 13z" fill="${light}"/>`

/** A round sign with the part of the body that the medicine is for. */
const bodySign =
  (draw: (palette: Palette) => string) =>
  (palette: Palette): string =>
    `<circle cx="48" cy="90" r="17" fill="${paper}" stroke="${palette.main}" stroke-width="2"/>` +
    `<g fill="none" stroke="${palette.dark}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round">${draw(palette)}</g>`

const containers: Record<Container, (input: Illustration, palette: Palette) => string> = {
  bottle,
  liquid,
  'flip-top': flipTop,
  dropper,
  pipette,
  spray,
  tube,
  vial,
  inhaler,
  ampoules,
  patch,
  suppositories: suppository,
  applicator,
  enema,
  bag,
  carton: plainBox,
}

const signs: Record<Sign, (palette: Palette, input: Illustration, seed: number) => string> = {
  tablet,
  capsule,
  cup,
  smear,
  skin: bodySign(
    ({ main }) =>
      `<path d="M48 78q5 7 5 10a5 5 0 0 1-10 0q0-3 5-10z" fill="${main}" stroke="none"/><path d="M37 98q5.5-4 11 0t11 0"/>`,
  ),
  eye: bodySign(
    ({ dark }) =>
      `<path d="M37 90q11-12 22 0q-11 12-22 0z"/><circle cx="48" cy="90" r="2.6" fill="${dark}"/>`,
  ),
  ear: bodySign(
    () =>
      `<path d="M42 87a6.5 6.5 0 0 1 13 0q0 4-4 6t-4 5a3.5 3.5 0 0 1-6-1M46 88a2.5 2.5 0 0 1 5 0q0 2-3 3"/>`,
  ),
  nose: bodySign(() => `<path d="M50 79q-1 8-6 13-3 4 2 6 3 1 5-1m-6-2q-1 2-2 2"/>`),
  mouth: bodySign(() => `<path d="M37 90q6-7 11-3 5-4 11 3-11 11-22 0zm3 0h16"/>`),
  tooth: bodySign(
    () => `<path d="M41 84q3-4 7-1 4-3 7 1 2 5-1 10-1 8-3 8-2-1-2-7h-2q0 6-2 7-2 0-3-8-3-5-1-10z"/>`,
  ),
}

const carton = (input: Illustration, { main, dark, light }: Palette): string =>
  `<path d="M20 24l9-10h56l-9 10z" fill="${main}"/><path d="M76 24l9-10v83l-9 10z" fill="${dark}"/>` +
  box(20, 24, 56, 83, 0, light) +
  box(20, 24, 8, 83, 0, main) +
  `<text transform="translate(44 66)rotate(-90)" font-size="${fit(clip(input.name, 22), 74, 12)}" font-weight="700" fill="${dark}">${escapeXml(clip(input.name, 22))}</text>`

/** The highlight on the left side. */
const shine = (x: number, y: number, height: number): string =>
  box(x, y, 3, height, 1.5, '#fff', ' opacity=".22"')

/** The shadow on the right side. */
const shade = (x: number, y: number, width: number, height: number): string =>
  `<path d="M${x} ${y}h${width}v${height}h-${width}z" opacity=".1"/>`

/** Two letters, or a letter and a short strength, like the imprint on a real tablet. */
const imprintOf = (input: Illustration): string => {
  const letter = [...input.name.trim().toUpperCase()][0] ?? ''
  return /^\d{1,2}$/.test(input.strength)
    ? `${letter}${input.strength}`
    : letter + ([...input.name.trim()][1] ?? '').toUpperCase()
}

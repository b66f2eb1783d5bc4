/**
 * `npx tsx scripts/draw-icons.ts`: writes app/ui/icons.tsx and admin-icons.tsx, and the files of
 * symbols they refer to, from the shapes of lucide-react.
 */
import { writeFileSync } from 'node:fs'

const names = [
  'activity',
  'arrow-left',
  'arrow-right',
  'award',
  'badge-check',
  'ban',
  'calendar-x',
  'camera',
  'check',
  'chevron-down',
  'chevron-left',
  'chevron-right',
  'circle-check',
  'circle-exclamation-point',
  'circle-user',
  'circle-x',
  'clipboard-check',
  'clipboard-list',
  'clock',
  'copy',
  'external-link',
  'factory',
  'file-text',
  'globe',
  'inbox',
  'info',
  'key-round',
  'leaf',
  'lock',
  'mail',
  'minus',
  'moon',
  'package',
  'phone',
  'piggy-bank',
  'plane',
  'plus',
  'printer',
  'refresh-cw',
  'search',
  'search-x',
  'shield-check',
  'shopping-bag',
  'shopping-cart',
  'sliders-horizontal',
  'sun',
  'tag',
  'trash',
  'truck',
  'undo-2',
  'upload',
  'users',
  'x',
]

/** What the back office alone shows: the shop does not load it. */
const adminNames = [
  'arrow-down',
  'arrow-up',
  'boxes',
  'chevron-first',
  'chevron-last',
  'code-xml',
  'columns-3',
  'download',
  'ellipsis',
  'file-up',
  'rotate-ccw-clock',
  'rotate-cw',
  'keyboard',
  'layout-dashboard',
  'menu',
  'message-circle',
  'panel-left',
  'pencil',
  'pill',
  'receipt',
  'settings',
  'store',
  'sun-moon',
  'triangle-exclamation-point',
]

type Shape = [tag: string, attributes: Record<string, string>]

const folder = new URL('dist/esm/icons/', import.meta.resolve('lucide-react/package.json'))

async function shapesOf(name: string): Promise<string> {
  const { __iconData: icon }: { __iconData: { node: Shape[] } } = await import(`${folder.href}${name}.mjs`)
  return icon.node
    .map(([tag, attributes]) => {
      // React reads `key`; SVG has no such attribute.
      const drawn = Object.entries(attributes).filter(([attribute]) => attribute !== 'key')
      return `<${tag}${drawn.map(([attribute, value]) => ` ${attribute}="${value}"`).join('')}/>`
    })
    .join('')
}

const componentName = (name: string): string =>
  name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

const origin =
  'Written by scripts/draw-icons.ts. Shapes: Lucide (lucide.dev), ISC license, Lucide Contributors.'

/** A file of symbols. A color is the text's color where the symbol is used. */
async function spriteOf(iconNames: readonly string[]): Promise<string> {
  const symbols = await Promise.all(
    iconNames.map(
      async (name) =>
        `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" ` +
        `stroke-linecap="round" stroke-linejoin="round">${await shapesOf(name)}</symbol>\n`,
    ),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg">\n<!-- ${origin} -->\n${symbols.join('')}</svg>\n`
}

const componentsOf = (iconNames: readonly string[]): string =>
  iconNames.map((name) => `export const ${componentName(name)} = /* @__PURE__ */ draw('${name}')\n`).join('')

writeFileSync('app/ui/icons.svg', await spriteOf(names))
writeFileSync('app/ui/admin-icons.svg', await spriteOf(adminNames))

writeFileSync(
  'app/ui/icons.tsx',
  `// ${origin}
import sprite from './icons.svg?url'

/**
 * An icon is a reference into a file of symbols, which browsers keep. So neither pages nor scripts
 * contain the shapes. An icon always accompanies text, so it is hidden from screen readers.
 */
export const iconsOf =
  (sprite: string) =>
  (name: string) =>
  ({ className = 'icon' }: { className?: string }) => (
    <svg aria-hidden="true" className={className}>
      <use href={\`\${sprite}#\${name}\`} />
    </svg>
  )

export type Icon = ReturnType<ReturnType<typeof iconsOf>>

const draw = iconsOf(sprite)

${componentsOf(names)}`,
)

writeFileSync(
  'app/ui/admin-icons.tsx',
  `// ${origin}
import sprite from './admin-icons.svg?url'
import { iconsOf } from './icons.tsx'

const draw = iconsOf(sprite)

${componentsOf(adminNames)}`,
)

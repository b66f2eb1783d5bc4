import { createElement as h, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'

const count = 24

const icon = h(
  'svg',
  {
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: 2,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
    'aria-hidden': true,
    className: 'icon',
  },
  h('path', { d: 'M16 10a4 4 0 0 1-8 0' }),
  h('path', { d: 'M3.103 6.034h17.794' }),
  h('path', { d: 'M3.4 5.467a2 2 0 0 0-.4 1.2V20a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V6.667' }),
)

const Badge = ({ text }: { text: string }): ReactElement =>
  h(
    'span',
    {
      className:
        'inline-flex items-center gap-1 rounded-full border bg-base-100 px-2 py-0.5 text-sm font-medium whitespace-nowrap [&_svg]:size-4',
    },
    icon,
    text,
  )

const Price = ({ cents }: { cents: number }): ReactElement =>
  h('span', { className: 'tabular-nums' }, `$${(cents / 100).toFixed(2)} – $${(cents / 50).toFixed(2)}`)

/** The elements of one product in the shop's grid, from a handful of numbers. */
const Card = ({ i }: { i: number }): ReactElement =>
  h(
    'article',
    {
      className:
        'card group relative flex h-full overflow-hidden transition-colors hover:border-primary/60 min-[480px]:flex-col',
    },
    h(
      'div',
      { className: 'tile relative w-27 flex-none min-[480px]:aspect-4/3 min-[480px]:w-full' },
      h('img', {
        src: `/img/v/${i}.svg`,
        alt: `Box of ${i} tablets`,
        width: 320,
        height: 240,
        loading: 'lazy',
        decoding: 'async',
        className: 'size-full object-contain p-0.5 min-[480px]:p-4',
      }),
    ),
    h(
      'div',
      { className: 'flex min-w-0 flex-1 flex-col gap-2 p-3 min-[480px]:p-4' },
      h(
        'h2',
        { className: 'line-clamp-2 leading-snug' },
        h(
          'a',
          { href: `/products/${i}`, className: 'outline-offset-4 after:absolute after:inset-0' },
          `Medicine ${i}`,
        ),
      ),
      h('p', { className: 'text-sm text-muted' }, `oral · tablet · ${i} options`),
      h(
        'div',
        { className: 'mt-auto flex flex-wrap items-center justify-between gap-x-2 gap-y-2 pt-1' },
        h('p', { className: 'font-semibold' }, h(Price, { cents: 1000 + i })),
        h('p', { className: 'flex flex-wrap gap-1.5' }, h(Badge, { text: i % 2 ? 'Rx' : 'OTC' })),
      ),
    ),
  )

/** What tells the 24 cards apart. */
export const cardNumbers = Array.from({ length: count }, (_, i) => i)

export const Cards = ({ numbers }: { numbers: readonly number[] }): ReactElement =>
  h(
    'ul',
    { className: 'grid gap-3' },
    numbers.map((i) => h('li', { key: i }, h(Card, { i }))),
  )

/** 24 products, rendered by React alone: the limit of a page that is made for a request. */
export const renderCards = (): string => renderToString(h(Cards, { numbers: cardNumbers }))

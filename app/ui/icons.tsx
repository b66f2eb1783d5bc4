// Written by scripts/draw-icons.ts. Shapes: Lucide (lucide.dev), ISC license, Lucide Contributors.
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
      <use href={`${sprite}#${name}`} />
    </svg>
  )

export type Icon = ReturnType<ReturnType<typeof iconsOf>>

const draw = iconsOf(sprite)

export const Activity = /* @__PURE__ */ draw('activity')
export const ArrowLeft = /* @__PURE__ */ draw('arrow-left')
export const ArrowRight = /* @__PURE__ */ draw('arrow-right')
export const Award = /* @__PURE__ */ draw('award')
export const BadgeCheck = /* @__PURE__ */ draw('badge-check')
export const Ban = /* @__PURE__ */ draw('ban')
export const CalendarX = /* @__PURE__ */ draw('calendar-x')
export const Camera = /* @__PURE__ */ draw('camera')
export const Check = /* @__PURE__ */ draw('check')
export const ChevronDown = /* @__PURE__ */ draw('chevron-down')
export const ChevronLeft = /* @__PURE__ */ draw('chevron-left')
export const ChevronRight = /* @__PURE__ */ draw('chevron-right')
export const CircleCheck = /* @__PURE__ */ draw('circle-check')
export const CircleExclamationPoint = /* @__PURE__ */ draw('circle-exclamation-point')
export const CircleUser = /* @__PURE__ */ draw('circle-user')
export const CircleX = /* @__PURE__ */ draw('circle-x')
export const ClipboardCheck = /* @__PURE__ */ draw('clipboard-check')
export const ClipboardList = /* @__PURE__ */ draw('clipboard-list')
export const Clock = /* @__PURE__ */ draw('clock')
export const Copy = /* @__PURE__ */ draw('copy')
export const ExternalLink = /* @__PURE__ */ draw('external-link')
export const Factory = /* @__PURE__ */ draw('factory')
export const FileText = /* @__PURE__ */ draw('file-text')
export const Globe = /* @__PURE__ */ draw('globe')
export const Inbox = /* @__PURE__ */ draw('inbox')
export const Info = /* @__PURE__ */ draw('info')
export const KeyRound = /* @__PURE__ */ draw('key-round')
export const Leaf = /* @__PURE__ */ draw('leaf')
export const Lock = /* @__PURE__ */ draw('lock')
export const Mail = /* @__PURE__ */ draw('mail')
export const Minus = /* @__PURE__ */ draw('minus')
export const Moon = /* @__PURE__ */ draw('moon')
export const Package = /* @__PURE__ */ draw('package')
export const Phone = /* @__PURE__ */ draw('phone')
export const PiggyBank = /* @__PURE__ */ draw('piggy-bank')
export const Plane = /* @__PURE__ */ draw('plane')
export const Plus = /* @__PURE__ */ draw('plus')
export const Printer = /* @__PURE__ */ draw('printer')
export const RefreshCw = /* @__PURE__ */ draw('refresh-cw')
export const Search = /* @__PURE__ */ draw('search')
export const SearchX = /* @__PURE__ */ draw('search-x')
export const ShieldCheck = /* @__PURE__ */ draw('shield-check')
export const ShoppingBag = /* @__PURE__ */ draw('shopping-bag')
export const ShoppingCart = /* @__PURE__ */ draw('shopping-cart')
export const SlidersHorizontal = /* @__PURE__ */ draw('sliders-horizontal')
export const Sun = /* @__PURE__ */ draw('sun')
export const Tag = /* @__PURE__ */ draw('tag')
export const Trash = /* @__PURE__ */ draw('trash')
export const Truck = /* @__PURE__ */ draw('truck')
export const Undo2 = /* @__PURE__ */ draw('undo-2')
export const Upload = /* @__PURE__ */ draw('upload')
export const Users = /* @__PURE__ */ draw('users')
export const X = /* @__PURE__ */ draw('x')

// Written by scripts/draw-icons.ts. Shapes: Lucide (lucide.dev), ISC license, Lucide Contributors.
import sprite from './admin-icons.svg?url'
import { iconsOf } from './icons.tsx'

const draw = iconsOf(sprite)

export const ArrowDown = /* @__PURE__ */ draw('arrow-down')
export const ArrowUp = /* @__PURE__ */ draw('arrow-up')
export const Boxes = /* @__PURE__ */ draw('boxes')
export const ChevronFirst = /* @__PURE__ */ draw('chevron-first')
export const ChevronLast = /* @__PURE__ */ draw('chevron-last')
export const Columns3 = /* @__PURE__ */ draw('columns-3')
export const Download = /* @__PURE__ */ draw('download')
export const Ellipsis = /* @__PURE__ */ draw('ellipsis')
export const FileUp = /* @__PURE__ */ draw('file-up')
export const RotateCcwClock = /* @__PURE__ */ draw('rotate-ccw-clock')
export const RotateCw = /* @__PURE__ */ draw('rotate-cw')
export const Keyboard = /* @__PURE__ */ draw('keyboard')
export const LayoutDashboard = /* @__PURE__ */ draw('layout-dashboard')
export const Menu = /* @__PURE__ */ draw('menu')
export const MessageCircle = /* @__PURE__ */ draw('message-circle')
export const PanelLeft = /* @__PURE__ */ draw('panel-left')
export const Pencil = /* @__PURE__ */ draw('pencil')
export const Pill = /* @__PURE__ */ draw('pill')
export const Receipt = /* @__PURE__ */ draw('receipt')
export const Settings = /* @__PURE__ */ draw('settings')
export const Store = /* @__PURE__ */ draw('store')
export const SunMoon = /* @__PURE__ */ draw('sun-moon')
export const TriangleExclamationPoint = /* @__PURE__ */ draw('triangle-exclamation-point')

const gap = 6
const maxHeight = 384
/** With less room below than this, the list opens above when there is more. */
const minRoom = 200

/**
 * Shows a combobox's list in the browser's top layer, beside its field, so that a dialog cannot
 * clip it. For a `Combobox` that may be in a dialog. Without popovers it stays in the dialog.
 */
export function showInTopLayer(list: HTMLElement, field: HTMLElement): () => void {
  if (!('popover' in list)) return () => {}
  const place = () => {
    const { left, width, top, bottom } = field.getBoundingClientRect()
    const below = window.innerHeight - bottom
    const isAbove = below < minRoom && top > below
    const room = (isAbove ? top : below) - 2 * gap
    const edge = isAbove ? `bottom:${window.innerHeight - top + gap}px` : `top:${bottom + gap}px`
    list.style.cssText = `position:fixed;inset:auto;left:${left}px;width:${width}px;${edge};
      max-height:${Math.min(room, maxHeight)}px;margin:0;padding-inline:0;color:inherit`
  }
  list.popover = 'manual'
  list.showPopover()
  place()
  window.addEventListener('scroll', place, true)
  window.addEventListener('resize', place)
  return () => {
    window.removeEventListener('scroll', place, true)
    window.removeEventListener('resize', place)
    list.popover = null
    list.style.cssText = ''
  }
}

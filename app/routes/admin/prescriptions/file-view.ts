/** How the viewer shows a file. Nothing of it is stored: the file stays as it was uploaded. */
export type FileView = {
  /** 1 fits the width. */
  zoom: number
  /** Clockwise, in degrees. */
  turn: 0 | 90 | 180 | 270
  contrast: Contrast
}

export const contrasts = ['normal', 'high', 'inverted'] as const
export type Contrast = (typeof contrasts)[number]

export const plainView: FileView = { zoom: 1, turn: 0, contrast: 'normal' }

const zooms = [0.5, 0.75, 1, 1.5, 2, 3, 4, 6] as const

/** The next larger or smaller zoom; the same at either end. */
export const stepZoom = (zoom: number, by: 1 | -1): number =>
  (by === 1 ? zooms.find((step) => step > zoom) : zooms.findLast((step) => step < zoom)) ?? zoom

const turns = [0, 90, 180, 270] as const

/** The view after a change that a button or a key asks for. */
export function changeView(view: FileView, change: ViewChange): FileView {
  switch (change) {
    case 'zoom in':
      return { ...view, zoom: stepZoom(view.zoom, 1) }
    case 'zoom out':
      return { ...view, zoom: stepZoom(view.zoom, -1) }
    case 'rotate':
      return { ...view, turn: turns[(turns.indexOf(view.turn) + 1) % turns.length] ?? 0 }
    case 'contrast':
      return {
        ...view,
        contrast: contrasts[(contrasts.indexOf(view.contrast) + 1) % contrasts.length] ?? 'normal',
      }
    case 'reset':
      return plainView
  }
}
export type ViewChange = 'zoom in' | 'zoom out' | 'rotate' | 'contrast' | 'reset'

/** Pencil and faded ink become darker; white on black suits tired eyes and blue ink. */
export const contrastFilter = (contrast: Contrast): string | undefined =>
  ({ normal: undefined, high: 'grayscale(1) contrast(2.2)', inverted: 'invert(1)' })[contrast]

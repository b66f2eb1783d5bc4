import type { FileType } from '#domain/files/files.ts'
import { useMemo, useState, type CSSProperties, type ReactNode } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { RotateCw, SunMoon } from '../../../ui/admin-icons.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import { ExternalLink, Minus, Plus } from '../../../ui/icons.tsx'
import { changeView, contrastFilter, plainView, type FileView, type ViewChange } from './file-view.ts'
import { Key } from './Key.tsx'

/** A file of a case: a prescription, or the patient's ID document. */
export type CaseFile = {
  /** Of the prescription, or `id`. */
  key: string
  /** "Rx 000123" or "ID document". */
  label: string
  src: string
  type: FileType
  /** When the malware scanner found it clean. Null when it was not scanned. */
  scannedAt: string | null
  /** Its accessible name. */
  name: string
}

type FileViewerProps = {
  /** At least one. An ID document is loaded only when it is opened: every read is audited. */
  files: readonly CaseFile[]
  shown: string
  onShow: (key: string) => void
}

/**
 * The files of a case, in the page: zoom, rotate and contrast, by buttons and keys. The file comes
 * from our own origin and is only drawn differently. Without scripts it is the plain file.
 */
export function FileViewer({ files, shown, onShow }: FileViewerProps) {
  const [view, setView] = useState(plainView)
  const file = files.find(({ key }) => key === shown) ?? files[0]
  const hasIdDocument = files.some(({ key }) => key === 'id')
  const firstKey = files[0]?.key ?? ''
  useShortcuts(
    useMemo(() => {
      const change = (keys: string, label: string, to: ViewChange) => ({
        keys,
        label,
        run: () => setView((view) => changeView(view, to)),
      })
      return [
        change('+', 'Zoom in on the file', 'zoom in'),
        change('-', 'Zoom out', 'zoom out'),
        change('0', 'Show the file as it is', 'reset'),
        change('r', 'Rotate the file', 'rotate'),
        change('c', 'Change the contrast of the file', 'contrast'),
      ]
    }, []),
  )
  useShortcuts(
    useMemo(
      () =>
        hasIdDocument
          ? [
              {
                keys: 'i',
                label: 'Show or hide the ID document',
                run: () => onShow(shown === 'id' ? firstKey : 'id'),
              },
            ]
          : [],
      [hasIdDocument, shown, firstKey, onShow],
    ),
  )
  if (!file) return null
  const change = (to: ViewChange) => () => setView((view) => changeView(view, to))
  return (
    <div className="card min-w-0 overflow-hidden">
      <div className="flex flex-wrap items-center gap-1 border-b border-line p-2">
        {files.map(({ key, label, src }) => (
          // Without scripts, each opens its file.
          <a
            key={key}
            href={src}
            target="_blank"
            rel="noreferrer"
            className="btn btn-ghost aria-[current]:bg-base-300"
            aria-current={key === file.key ? 'true' : undefined}
            onClick={(event) => {
              event.preventDefault()
              onShow(key)
            }}
          >
            {label} {key === 'id' ? <Key>I</Key> : null}
          </a>
        ))}
        {hasIdDocument ? null : <p className="px-2 text-error">No ID document on file</p>}
        <a
          href={file.src}
          target="_blank"
          rel="noreferrer"
          className="btn btn-ghost btn-square ms-auto"
          aria-label="Open in new tab"
          title="Open in new tab"
        >
          <ExternalLink />
        </a>
      </div>
      <div className="flex flex-wrap items-center border-b border-line px-2">
        <div role="group" aria-label="View" className="flex flex-wrap items-center noscript:hidden">
          <IconButton type="button" label="Zoom out" onClick={change('zoom out')}>
            <Minus />
          </IconButton>
          <span className="tabular-nums" aria-live="polite">
            {Math.round(view.zoom * 100)}%
          </span>
          <IconButton type="button" label="Zoom in" onClick={change('zoom in')}>
            <Plus />
          </IconButton>
          <IconButton type="button" label="Rotate" onClick={change('rotate')}>
            <RotateCw />
          </IconButton>
          <IconButton type="button" label={`Contrast: ${view.contrast}`} onClick={change('contrast')}>
            <SunMoon />
          </IconButton>
          <Button type="button" kind="quiet" onClick={change('reset')}>
            Reset
          </Button>
        </div>
        <ScanNote scannedAt={file.scannedAt} />
      </div>
      {file.type === 'application/pdf' ? (
        <PdfView key={file.src} file={file} view={view} />
      ) : (
        <PictureView key={file.src} file={file} view={view} />
      )}
    </div>
  )
}

/** Whether the malware scanner has seen the file that is shown. */
const ScanNote = ({ scannedAt }: { scannedAt: string | null }) =>
  scannedAt === null ? (
    <p className="ms-auto px-2 font-medium text-error">Not scanned for viruses</p>
  ) : (
    <p className="ms-auto px-2 text-muted">Scanned, {formatDay(scannedAt)}</p>
  )

/** The part of the page that scrolls: it takes the focus, and the arrow keys move the file. */
const Viewport = ({
  name,
  style,
  children,
}: {
  name: string
  style?: CSSProperties
  children: ReactNode
}) => (
  <div
    id="file-view"
    role="group"
    aria-label={name}
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    tabIndex={0}
    className="h-[70dvh] overflow-auto bg-base-200 focus-visible:-outline-offset-2 xl:h-[max(20rem,calc(100dvh-17.5rem))]"
    style={style}
  >
    {children}
  </div>
)

type ViewProps = { file: CaseFile; view: FileView }

/**
 * A picture as wide as the viewport at zoom 1. Its frame has the size of the rotated picture, so
 * that the viewport scrolls over all of it.
 */
function PictureView({ file, view: { zoom, turn, contrast } }: ViewProps) {
  /** Height by width. Known once the picture has loaded. */
  const [ratio, setRatio] = useState<number | null>(null)
  const isSideways = turn % 180 !== 0
  const isPlain = ratio === null || (zoom === 1 && turn === 0 && contrast === 'normal')
  const frame: CSSProperties = isPlain
    ? {}
    : { position: 'relative', width: `${zoom * 100}%`, aspectRatio: isSideways ? `${ratio}` : `${1 / ratio}` }
  const picture: CSSProperties = isPlain
    ? {}
    : {
        position: 'absolute',
        left: '50%',
        top: '50%',
        width: isSideways ? `${100 / ratio}%` : '100%',
        maxWidth: 'none',
        transform: `translate(-50%, -50%) rotate(${turn}deg)`,
        filter: contrastFilter(contrast),
      }
  return (
    <Viewport name={file.name}>
      <div style={frame}>
        <img
          ref={(image) => {
            if (image?.complete && image.naturalWidth > 0) setRatio(image.naturalHeight / image.naturalWidth)
          }}
          src={file.src}
          alt={file.name}
          className="w-full"
          style={picture}
          onLoad={({ currentTarget: { naturalHeight, naturalWidth } }) =>
            setRatio(naturalWidth > 0 ? naturalHeight / naturalWidth : null)
          }
        />
      </div>
    </Viewport>
  )
}

/** A PDF in the browser's own viewer, which fits the page to the frame's width. */
function PdfView({ file, view: { zoom, turn, contrast } }: ViewProps) {
  const isPlain = zoom === 1 && turn === 0 && contrast === 'normal'
  const isSideways = turn % 180 !== 0
  const size = [`${zoom * 100}cqw`, `${zoom * 100}cqh`] as const
  return (
    <Viewport name={file.name} {...(!isPlain && { style: { containerType: 'size' } })}>
      <div
        className="h-full"
        style={isPlain ? {} : { position: 'relative', width: size[0], height: size[1], overflow: 'hidden' }}
      >
        {/* The response has the sandbox: as an attribute, Chromium would not show the PDF. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        <iframe
          src={`${file.src}?frame#view=FitH`}
          title={file.name}
          className="block h-full w-full bg-base-200"
          style={
            isPlain
              ? {}
              : {
                  position: 'absolute',
                  left: '50%',
                  top: '50%',
                  width: isSideways ? size[1] : size[0],
                  height: isSideways ? size[0] : size[1],
                  transform: `translate(-50%, -50%) rotate(${turn}deg)`,
                  filter: contrastFilter(contrast),
                }
          }
        />
      </div>
    </Viewport>
  )
}

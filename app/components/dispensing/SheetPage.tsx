import type { ReactNode } from 'react'
import a4 from '../../print/paper-a4.css?url'
import letter from '../../print/paper-letter.css?url'
import { Link } from '../../render/Link.tsx'
import { PrintButton } from '../../ui/PrintButton.tsx'
import { BackLink } from '../BackLink.tsx'

/** The papers of sheets that are not labels. */
const sheetPapers = { letter: 'Letter sheet', a4: 'A4 sheet' } as const
export type SheetPaper = keyof typeof sheetPapers
const names = Object.keys(sheetPapers) as SheetPaper[]
const pageSizes = { letter, a4 } as const satisfies Record<SheetPaper, string>

export const parseSheetPaper = (request: Request): SheetPaper => {
  const requested = new URL(request.url).searchParams.get('paper')
  return names.find((name) => name === requested) ?? 'letter'
}

type SheetPageProps = {
  paper: SheetPaper
  back: { to: string; label: string }
  pathOn: (paper: SheetPaper) => string
  children: ReactNode
}

/** A sheet to print, with the choice of its paper on the screen. */
export const SheetPage = ({ paper, back, pathOn, children }: SheetPageProps) => (
  <>
    <link rel="stylesheet" href={pageSizes[paper]} precedence="default" />
    <BackLink {...back} />
    <div className="mb-4 flex flex-wrap items-center gap-3 print:hidden">
      <nav aria-label="Paper" className="tab-links">
        {names.map((name) => (
          <Link key={name} to={pathOn(name)} aria-current={name === paper ? 'page' : undefined}>
            {sheetPapers[name]}
          </Link>
        ))}
      </nav>
      <PrintButton />
    </div>
    {children}
  </>
)

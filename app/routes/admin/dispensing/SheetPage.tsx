import type { ReactNode } from 'react'
import { PrintButton } from '../../../ui/PrintButton.tsx'
import { Link } from '../../../render/Link.tsx'
import { pageSizes, papers } from './papers.ts'

/** The papers of sheets that are not labels. */
export const sheetPapers = ['letter', 'a4'] as const
export type SheetPaper = (typeof sheetPapers)[number]

export const parseSheetPaper = (request: Request): SheetPaper => {
  const requested = new URL(request.url).searchParams.get('paper')
  return sheetPapers.find((name) => name === requested) ?? 'letter'
}

type SheetPageProps = {
  title: string
  paper: SheetPaper
  back: { to: string; label: string }
  pathOn: (paper: SheetPaper) => string
  children: ReactNode
}

/** A sheet to print, with the choice of its paper on the screen. */
export function SheetPage({ title, paper, back, pathOn, children }: SheetPageProps) {
  return (
    <>
      <title>{`${title} | Meridian`}</title>
      <link rel="stylesheet" href={pageSizes[`paper-${paper}`]} precedence="default" />
      <div className="mb-4 flex flex-wrap items-center gap-3 print:hidden">
        <Link to={back.to} className="text-link">
          {back.label}
        </Link>
        {sheetPapers.map((name) => (
          <Link
            key={name}
            to={pathOn(name)}
            className="text-link"
            aria-current={name === paper ? 'page' : undefined}
          >
            {papers[name]}
          </Link>
        ))}
        <PrintButton />
      </div>
      {children}
    </>
  )
}

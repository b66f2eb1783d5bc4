import type { ReactNode } from 'react'

type ContentPageProps = {
  title: string
  /** One or two sentences about what the page covers. */
  lead: ReactNode
  /** Next to the title on a wide screen, below it on a narrow one. */
  aside?: ReactNode
  children: ReactNode
}

/** The frame of a content page: a title band, then the content. */
export const ContentPage = ({ title, lead, aside, children }: ContentPageProps) => (
  <>
    <div className="border-b border-line bg-base-200 print:border-0">
      <div className="page flex flex-wrap items-center justify-between gap-x-12 gap-y-6 py-9 md:py-12">
        <div className="min-w-0 flex-[1_1_28rem]">
          <h1 className="text-2xl sm:text-3xl">{title}</h1>
          <div className="mt-3 max-w-[60ch] text-lg text-balance text-muted">{lead}</div>
        </div>
        {aside}
      </div>
    </div>
    <div className="page pt-10 md:pt-12">{children}</div>
  </>
)

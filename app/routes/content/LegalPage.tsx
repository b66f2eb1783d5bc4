import type { Icon } from '../../ui/icons.tsx'
import { ContentPage } from '../../components/ContentPage.tsx'
import { SupportCard } from '../../components/SupportCard.tsx'

/** A section of a legal text: paragraphs and lists. */
export type LegalSection = { id: string; title: string; text: readonly (string | readonly string[])[] }

type LegalPageProps = {
  title: string
  lead: string
  /** When the text last changed, for display and as `YYYY-MM`. */
  updated: readonly [words: string, month: string]
  /** The key points, one line each. The full text is binding. */
  inShort: readonly (readonly [icon: Icon, words: string])[]
  sections: readonly LegalSection[]
  contact: { email: string; title: string; words: string }
}

/** A legal page: key points first, linkable sections, a readable line length. */
export const LegalPage = ({ title, lead, updated, inShort, sections, contact }: LegalPageProps) => (
  <ContentPage
    title={title}
    lead={
      <>
        <p>{lead}</p>
        <p className="mt-3 text-base">
          Last updated <time dateTime={updated[1]}>{updated[0]}</time>
        </p>
      </>
    }
  >
    <div className="grid gap-x-14 gap-y-10 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <div>
        <nav aria-label="On this page" className="lg:sticky lg:top-6 print:hidden">
          <p className="text-sm font-semibold text-muted">On this page</p>
          <ol className="mt-2 border-line sm:max-lg:columns-2 lg:border-s-2">
            {sections.map((section) => (
              <li key={section.id} className="break-inside-avoid">
                <a
                  href={`#${section.id}`}
                  className="flex min-h-11 items-center hover:text-primary max-lg:text-primary max-lg:underline lg:-ms-0.5 lg:min-h-10 lg:border-s-2 lg:border-transparent lg:ps-4 lg:hover:border-primary"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      </div>
      <div className="max-w-[70ch]">
        <ul aria-label="In short" className="card grid gap-3 p-5">
          {inShort.map(([Icon, words]) => (
            <li key={words} className="flex gap-3">
              <Icon className="icon mt-0.5 text-primary" />
              {words}
            </li>
          ))}
        </ul>
        {sections.map((section, index) => (
          <section key={section.id} aria-labelledby={section.id} className="pt-10">
            <h2 id={section.id} className="text-xl break-after-avoid">
              <a href={`#${section.id}`} className="hover:underline">
                <span className="text-muted tabular-nums">{index + 1}.</span> {section.title}
              </a>
            </h2>
            {section.text.map((part) => (
              <LegalText key={String(part)} part={part} />
            ))}
          </section>
        ))}
        <div className="pt-10">
          <SupportCard {...contact} />
        </div>
      </div>
    </div>
  </ContentPage>
)

const LegalText = ({ part }: { part: LegalSection['text'][number] }) =>
  typeof part === 'string' ? (
    <p className="mt-4">{part}</p>
  ) : (
    <ul className="mt-4 list-disc space-y-2 ps-5 marker:text-primary">
      {part.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  )

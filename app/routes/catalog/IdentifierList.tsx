import type { VariantDetail } from '#domain/catalog/catalog.ts'
import type { ReactNode } from 'react'
import { CopyButton } from '../../components/CopyButton.tsx'

const Row = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="flex min-h-11 flex-wrap items-baseline gap-x-4 border-b border-line py-2 last:border-0">
    <dt className="w-32 flex-none text-sm text-muted">{term}</dt>
    <dd className="flex min-w-0 flex-[1_1_9rem] items-center gap-1">{children}</dd>
  </div>
)

const Code = ({ term, code }: { term: string; code: string | null }) =>
  code ? (
    <Row term={term}>
      <span className="min-w-0 font-mono wrap-anywhere">{code}</span>
      <CopyButton key={code} label={term} text={code} />
    </Row>
  ) : null

const Words = ({ term, words }: { term: string; words: string | null }) =>
  words ? (
    <Row term={term}>
      <span className="wrap-anywhere">{words}</span>
    </Row>
  ) : null

/**
 * A variant's identifiers and manufacturer, and the directory's wording of strength, form and pack.
 */
export const IdentifierList = ({ variant }: { variant: VariantDetail }) => (
  <dl>
    <Code term="NDC" code={variant.ndc} />
    <Code term="DIN" code={variant.din} />
    <Code term="UPC" code={variant.upc} />
    <Words term="Manufacturer" words={variant.manufacturerName} />
    <Words term="Active ingredient" words={variant.genericName} />
    <Words term="Labeled strength" words={variant.labelStrength} />
    <Words term="Labeled form" words={variant.labelForm} />
    <Words term="Labeled pack" words={variant.labelPack} />
  </dl>
)

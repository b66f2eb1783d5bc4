import type { FaqEntry } from './FaqList.tsx'
import type { StructuredData } from '../../render/page-meta.ts'

/** Questions and answers for search engines (schema.org/FAQPage). */
export const faqStructured = (entries: readonly FaqEntry[]): StructuredData => ({
  '@type': 'FAQPage',
  mainEntity: entries.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
})

import { allergyFacts } from '#app/components/dispensing/record-facts.tsx'
import type { RecordView } from '#domain/patients/patient-view.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

const nothing = { entries: [], recognized: [], notChecked: [], saysNone: false }
const shown = (allergies: Partial<RecordView['allergies']>): string => {
  const view = {
    medications: nothing,
    allergies: { ...nothing, ...allergies },
    noKnownAllergies: true,
    pregnancy: null,
  }
  return renderToStaticMarkup(<>{allergyFacts(view)}</>)
}

test('"No known allergies" hides no allergy that the text names', () => {
  expect(shown({})).toBe('No known allergies')
  expect(shown({ saysNone: true, notChecked: ['none'] })).toBe('No known allergies')
  const penicillin = { label: 'Penicillin', detail: null, meaning: 'allergies||penicillin' }
  expect(shown({ recognized: [penicillin] })).toContain('Penicillin (recognized in the text')
  expect(shown({ notChecked: ['zyzzyx'] })).toContain('Not checked: zyzzyx')
})
